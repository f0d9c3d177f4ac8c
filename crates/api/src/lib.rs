//! The JSON between widget and server, one file a resource.
