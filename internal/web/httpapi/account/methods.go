package account

import "github.com/gofiber/fiber/v2"

// providerBody is an identity provider as shown to users.
type providerBody struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// listMethods serves GET /auth/methods. It lists the ways to sign in and to sign up, and says
// whether the catalogue can be read without.
func (s *Handlers) listMethods(c *fiber.Ctx) error {
	providers := make([]providerBody, len(s.Providers.List))
	for i, p := range s.Providers.List {
		providers[i] = providerBody{p.ID, p.Name}
	}
	return c.JSON(struct {
		Password  bool           `json:"password"`
		Providers []providerBody `json:"providers"`
		Signup    bool           `json:"signup"`
		Public    bool           `json:"public_catalogue"`
		Guests    int            `json:"guest_questions"`
	}{true, providers, len(s.Signup.Domains) > 0, s.PublicCatalogue, s.GuestQuestions})
}
