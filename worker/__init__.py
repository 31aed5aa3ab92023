"""The share manager process: long operations as named steps, the task runner, and periodic tasks."""
