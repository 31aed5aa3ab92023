"""Rules that span resources: quotas, access rules, policies, network allocation, user messages."""
