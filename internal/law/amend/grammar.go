package amend

// Grammar is the version of what Read returns and of what Assemble makes of it. It grows with
// each change of either, so that stored operations and versions are made anew.
const Grammar = 13
