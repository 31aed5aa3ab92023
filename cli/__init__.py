"""The programs: manila-api, -scheduler, -share, -data, -manage and manila-all; configuration and logs."""
