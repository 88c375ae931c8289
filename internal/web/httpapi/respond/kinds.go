package respond

import "github.com/gofiber/fiber/v2"

// The media types of files for reading.
const (
	DocxKind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	PdfKind  = "application/pdf"
)

// ExportKinds are the media types of a text's export formats.
var ExportKinds = map[string]string{"md": "text/markdown; charset=utf-8", "json": fiber.MIMEApplicationJSON, "akn": "application/akn+xml; charset=utf-8", "docx": DocxKind}
