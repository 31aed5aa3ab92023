"""Who a token belongs to: Keystone's word, or a file of tokens for embedded use."""
