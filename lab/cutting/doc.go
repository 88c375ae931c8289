// Package cutting tests internal/gazette/segment on made issues of every house style: how
// many texts are cut right, and how long a page takes. Its tests are its whole content.
package cutting
