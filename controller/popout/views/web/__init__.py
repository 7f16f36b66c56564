"""The page: one board drawn in the browser, and the server that keeps it in step with the table."""
