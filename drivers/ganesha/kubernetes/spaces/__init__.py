"""Where the objects of a back end are: all in one namespace, or those of each project in one of its own."""
