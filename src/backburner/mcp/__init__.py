"""Any agent that speaks the Model Context Protocol plays a world: its tools over stdio or HTTP, jobs that end
later as tasks."""
