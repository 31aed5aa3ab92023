"""The programs: manila-api, manila-scheduler, manila-share, manila-manage and manila-all; configuration and logs."""
