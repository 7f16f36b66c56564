"""The subcommands of `popout`, one a module; each is imported only when it is called."""
