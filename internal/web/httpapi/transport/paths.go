package transport

// ToolsRoute is the address of the tools for programs.
const ToolsRoute = "/mcp"

// Prefix is the prefix of all API paths except those of the service itself and of protocols
// that have addresses of their own.
const Prefix = "/api/v1"
