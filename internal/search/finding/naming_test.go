package finding_test

import _ "vigueur/internal/search/named" // resolves the names of texts
