package page

import (
	"os"
	"path/filepath"
	"testing"

	"vigueur/e2e/browser"
	"vigueur/e2e/stage"
	"vigueur/internal/web/factor"
)

func (v *visit) asks(question string) func(*visit) error {
	return func(v *visit) error { v.ask(question); return v.Await(answered) }
}

// Every state of every screen, for who looks at pictures.
func TestPictures(t *testing.T) {
	if os.Getenv("VIGUEUR_TEST_DEEP") != "1" {
		t.Skip("pictures are for who looks at them: VIGUEUR_TEST_DEEP=1")
	}
	// A service of its own: what is done here, the others could not do any more.
	own := serve(t, func(s *stage.Stage) { s.Set("VIGUEUR_SIGNUP_DOMAINS", signupDomain) })
	t.Cleanup(func() { must(t, own.Close()) })
	v := visitOf(t, own)
	source := axe(t)
	must(t, v.Before(stand))
	_, password := v.service.Account()
	v.look(source, []screen{
		{"a-accueil", "/", func(v *visit) error { return v.See("textes dans") }},
		{"a-connexion", "/connexion", nil},
		{"a-connexion-refusee", "/connexion", func(v *visit) error {
			return first(v.Type("[name=email]", v.reader()), v.Type("[name=password]", "faux"), v.Key("\r"), v.Has(".failure"))
		}},
		{"a-connexion-demandee", "/textes", func(v *visit) error { return v.See("Connectez-vous pour voir") }},
		{"a-entreprises", "/entreprises", func(v *visit) error { return v.Has("[name=company]") }},
		{"a-entreprises-fautes", "/entreprises", func(v *visit) error { return first(v.Press("Envoyer la demande"), v.Has(".fault")) }},
		{"a-entreprises-recue", "/entreprises", func(v *visit) error {
			return first(v.Type("[name=company]", "Étude Sène et associés"), v.Type("[name=contact_name]", "Aïssatou Sène"), v.Type("[name=email]", "a.sene@etude.example"),
				v.Type("[name=phone]", "+221 33 800 00 00"), v.Choose("[name=team_size]", "11-50"),
				v.Type("[name=use_case]", "Nos juristes cherchent chaque jour dans les journaux officiels. Nous voulons héberger le service chez nous et l’ouvrir à nos agents.\n\nPouvez-vous nous montrer ce que cela demande ?"), v.Type("[name=preferred_slot]", "mardi matin"),
				v.Press("Envoyer la demande"), v.See("Votre demande est reçue"))
		}},
		{"a-entreprises-trop", "/entreprises", func(v *visit) error {
			for range 5 {
				if _, err := browser.Eval[any](v.Tab, `fetch("/api/v1/business/inquiry", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({company: "Étude", contact_name: "A. S.", email: "a@etude.example", use_case: "Besoin."})}).then((r) => r.status)`); err != nil {
					return err
				}
			}
			return first(v.Type("[name=company]", "Étude"), v.Type("[name=contact_name]", "A. S."), v.Type("[name=email]", "a@etude.example"), v.Type("[name=use_case]", "Un besoin."), v.Press("Envoyer la demande"), v.See("Réessayez dans"))
		}},
		{"a-oubli", "/mot-de-passe", nil},
		{"a-oubli-envoye", "/mot-de-passe", func(v *visit) error {
			return first(v.Type("[name=email]", "personne@exemple.org"), v.Press("Envoyer le lien"), v.See("Regardez vos messages"))
		}},
		{"a-lien", "/mot-de-passe?#jeton=abc", func(v *visit) error { return v.Has("[name=new_password]") }},
		{"a-lien-mort", "/mot-de-passe?#jeton=abc", func(v *visit) error {
			return first(v.Type("[name=new_password]", "vent d’ouest sur la digue"), v.Type("[name=again]", "vent d’ouest sur la digue"), v.Press("Changer le mot de passe"), v.See("ne sert plus"))
		}},
		{"a-inscription", "/inscription", nil},
		{"a-inscription-envoyee", "/inscription", func(v *visit) error {
			return first(v.Type("[name=email]", "ines@"+signupDomain), v.Type("[name=full_name]", "Inès Lancel"), v.Press("Demander le compte"), v.See("Regardez vos messages"))
		}},
		{"a-retour", "/connexion/retour/ministere", func(v *visit) error { return v.See("Revenir à la connexion") }},
	})
	v.signIn("/connexion", admin)
	v.look(source, []screen{
		{"b-question", "/", func(v *visit) error { return v.See("Par exemple") }},
		{"b-filtres", "/", func(v *visit) error {
			return first(v.Press("Filtres"), v.Fill(`document.querySelector("input[type=date]")`, "2024-03-01"), v.See("au 1er mars 2024"))
		}},
		{"b-reponse", "/", v.asks("Je suis cadre et je démissionne : combien de temps dure mon préavis ?")},
		{"b-source", "", func(v *visit) error { return first(v.Click(".cite"), v.Await(browser.Inked)) }},
		{"b-fiche", "/", func(v *visit) error {
			v.ask("Article 26 du code du travail")
			return first(v.Await(answered), v.Await(`(document.querySelector(".cite")?.focus(), document.querySelector(".card"))`))
		}},
		{"b-avis", "", func(v *visit) error { return first(v.Press("Pas utile"), v.Has(".feedback textarea")) }},
		{"b-partager", "", func(v *visit) error { return first(v.Press("Partager"), v.Has("dialog .main")) }},
		{"b-menu", "", func(v *visit) error { return first(v.Key(escape), v.Press("Garder"), v.See("Exporter en Markdown")) }},
		{"b-modifie", "/", v.asks("Mon enfant vient de naître, à combien de jours de congé de paternité ai-je droit ?")},
		{"b-abroge", "/", func(v *visit) error {
			must(v.t, v.Press("Filtres"), v.Fill(`document.querySelector("input[type=date]")`, "2024-03-01"), v.See("au 1er mars 2024"))
			v.ask("Combien d’heures par semaine travaille-t-on légalement à temps plein ?")
			return v.Await(answered)
		}},
		{"b-refus", "/", v.asks("Quelle peine encourt-on pour conduite en état d'ivresse ?")},
		{"b-rien", "/", v.asks("Quelle est la capitale de l’Australie ?")},
		{"b-bonjour", "/", v.asks("Bonjour")},
		{"b-longue", "/", v.asks(long)},
		{"b-recherche", "/", func(v *visit) error {
			return first(v.stands(`[["/chat-rag/stream","wait"]]`), v.Type("#question", notice), v.Key("\r"), v.See("Envoi de la question"))
		}},
		{"b-sans-service", "/", func(v *visit) error {
			return first(v.stands(`[["/chat-rag/stream","lost"]]`), v.Type("#question", notice), v.Key("\r"), v.Has(".composer .failure"))
		}},
		{"b-vide", "/", func(v *visit) error {
			return first(v.stands(`[["/conversations",{"items":[],"next_before":null}],["/examples",{"items":[]}]]`), v.Open("/"), v.See("apparaîtront ici"))
		}},
		{"b-erreur", "/", func(v *visit) error {
			return first(v.stands(`[["/conversations",503]]`), v.Open("/"), v.Has(".side .failure"))
		}},
		{"b-conversation-inconnue", "/c/018f0000-0000-7000-8000-000000000000", func(v *visit) error { return v.Has(".thread .failure") }},
		{"b-tiroir", "/", func(v *visit) error { return first(v.Size(360, 900), v.Press("Conversations"), v.Has(".side.open li")) }},
		{"b-renommer", "/", func(v *visit) error {
			return first(v.Size(360, 900), v.Press("Conversations"), v.Click(".side.open li .row-actions button"), v.Has(".rename input"))
		}},
		{"b-expiree", "/", func(v *visit) error {
			return first(v.Type("#question", notice), v.stands(`[["/chat-rag/stream",401],["/auth/refresh",401]]`), v.Key("\r"), v.See("La session a pris fin"))
		}},
	})
	must(t, v.Forget())
	v.signIn("/connexion", admin)
	v.look(source, []screen{
		{"c-textes", "/textes", func(v *visit) error { return v.Has(".texts li") }},
		{"c-recherche", "/textes?q=travail", func(v *visit) error { return v.Has(".texts mark") }},
		{"c-titres", "/textes", func(v *visit) error {
			return first(v.Has(".texts li"), v.Type("#find-text", "code"), v.Await(`document.querySelectorAll("#find-titles:not([hidden]) [role=option]").length > 0`))
		}},
		{"c-filtre", "/textes?type=decret&statut=en_vigueur", func(v *visit) error {
			return first(v.Has(".texts li"), v.Size(360, 900), v.Press("Filtres (2)"), v.Has(".facet-groups.open"))
		}},
		{"c-rien", "/textes?q=introuvable&statut=abroge", func(v *visit) error { return v.See("Chercher sans filtre") }},
		{"c-erreur", "/", func(v *visit) error {
			return first(v.stands(`[["/search",503]]`), v.Open("/textes"), v.Has("main .failure"))
		}},
		{"c-attente", "/", func(v *visit) error {
			return first(v.stands(`[["/search","wait"]]`), v.Open("/textes?q=travail"), v.See("Recherche dans les articles"))
		}},
		{"c-texte", "/textes?q=code+du+travail&objet=texte", func(v *visit) error {
			return first(v.ClickOn(`[...document.querySelectorAll(".texts a")].find((a) => a.textContent.endsWith("portant Code du travail"))`), v.Has(".law-text"))
		}},
		{"c-gazette", "", func(v *visit) error { return first(v.Press("Voir la gazette"), v.Has(".sheet[data-drawn]")) }},
		{"c-garder", "", func(v *visit) error {
			return first(v.Press("Fermer la gazette"), v.Press("Garder le texte"), v.Type("#find-in", "préavis"))
		}},
		{"c-verifier", "/verifier", func(v *visit) error {
			return first(v.Type("main textarea", "L’article 69 de la loi n° 2023-07 du 14 mars 2023 portant Code du travail dispose : « L’employeur ne peut licencier une salariée en état de grossesse déclarée ». Le décret n° 2031-44 du 3 mai 2031 l’applique."),
				v.Click(".to-check button.main"), v.Has(".verified"))
		}},
		{"c-hors-ligne", "/hors-ligne", func(v *visit) error { return v.See("ne garde aucun texte") }},
		{"c-texte-modifiant", "/textes?q=2025-03&objet=texte", func(v *visit) error { return first(v.Click(".texts a"), v.Has(".law-text")) }},
		{"c-texte-inconnu", "/textes/018f0000-0000-7000-8000-000000000000", func(v *visit) error { return v.See("Ce texte n’existe pas") }},
		{"c-compte", "/compte", func(v *visit) error { return v.See("cette session") }},
		{"c-nom", "/compte", func(v *visit) error {
			return first(v.See("cette session"), v.Type("[name=new_password]", "court"), v.Type("[name=again]", "courte"), v.Press("Changer le mot de passe"), v.Has(".fault"))
		}},
		{"c-inconnue", "/nulle/part", func(v *visit) error { return v.See("n’existe pas") }},
	})
	must(t, v.Open("/admin"))
	v.drop(undated(t, "poivre.pdf",
		decree{"Décret n° 2024-911", "fixant le prix du poivre noir en grains et du poivre blanc moulu dans les communes du littoral", "Le prix du poivre est fixé à trente écus le kilogramme."},
		decree{"Décret n° 2024-912", "fixant le prix du miel", "Le prix du miel est fixé à neuf écus le kilogramme."}))
	v.look(source, []screen{
		{"d-gazettes", "/admin", func(v *visit) error { return v.See("jo-2024-02.pdf") }},
		{"d-gazettes-envoi", "/admin", func(v *visit) error {
			return first(v.stands(`[["/admin/documents","wait"]]`), v.Upload("input[type=file]", filepath.Join(stage.Root(), "scripts", "sample", "gazettes", "jo-2024-02.pdf"), filepath.Join(stage.Root(), "README.md")), v.See("Envoi…"))
		}},
		{"d-gazettes-refus", "/admin", func(v *visit) error {
			return first(v.Upload("input[type=file]", filepath.Join(stage.Root(), "scripts", "sample", "gazettes", "jo-2024-02.pdf"), filepath.Join(stage.Root(), "README.md")), v.Await(`document.querySelectorAll(".drop li.fault").length === 2`))
		}},
		{"d-gazettes-aucune", "/admin?etat=cancelled", func(v *visit) error { return v.See("Aucune gazette") }},
		{"d-relecture", "/admin/relecture", func(v *visit) error { return v.Has("li.review-row") }},
		{"d-atelier", "/admin/relecture", func(v *visit) error {
			return first(v.Click("li.review-row a"), v.Has(".line"), v.Has(".review-form"), v.Has(".desk-sheet img"))
		}},
		{"d-atelier-texte", "", func(v *visit) error { return first(v.Click(".surface-keys"), v.Key("s"), v.Has("dialog input")) }},
		{"d-textes", "/admin/textes", func(v *visit) error { return v.Has(".rows li") }},
		{"d-textes-corriger", "/admin/textes", func(v *visit) error { return first(v.Click(".rows li button"), v.Has("dialog textarea")) }},
		{"d-modifications", "/admin/modifications", func(v *visit) error { return v.Has("main h1") }},
		{"d-noms", "/admin/noms", func(v *visit) error { return v.See("Aucun nom n’est donné") }},
		{"d-files", "/admin/files", func(v *visit) error { return v.Has("tbody tr") }},
		{"d-chiffres", "/admin/chiffres", func(v *visit) error { return v.Has(".plots svg") }},
		{"d-chiffres-tableau", "", func(v *visit) error { return v.Press("Les mêmes chiffres en tableau") }},
		{"d-domaines", "/admin/domaines", func(v *visit) error { return v.Has("tbody tr, .rows li") }},
		{"d-domaines-ajout", "", func(v *visit) error { return first(v.Press("Ajouter un domaine"), v.Has("dialog")) }},
		{"d-comptes", "/admin/comptes", func(v *visit) error { return v.See("editrice@exemple.org") }},
		{"d-comptes-ouvrir", "", func(v *visit) error {
			return first(v.Press("Ouvrir un compte"), v.Press("Ouvrir le compte"), v.Has("dialog .fault"))
		}},
		{"d-cles", "/admin/cles", func(v *visit) error { return v.See("Aucune clé") }},
		{"d-cles-faire", "", func(v *visit) error { return first(v.Press("Faire une clé"), v.Has("dialog fieldset")) }},
		{"d-demandes", "/admin/demandes", func(v *visit) error { return v.See("Étude Sène") }},
		{"d-journal", "/admin/journal", func(v *visit) error { return v.Has("tbody tr") }},
		{"d-pourquoi", "/", func(v *visit) error {
			v.ask("Combien de jours avant une grève faut-il déposer le préavis dans un service public ?")
			return first(v.Await(answered), v.Press("Pourquoi cette réponse\u202f?"), v.See("Les articles considérés"))
		}},
		{"d-pourquoi-tout", "", func(v *visit) error { return v.Press("Ce qui était su de chacun") }},
		{"d-erreur", "/", func(v *visit) error {
			return first(v.stands(`[["/ingestions",503]]`), v.Open("/admin"), v.Has("main .failure"))
		}},
	})
	p := &person{}
	must(t, v.Open("/compte"), v.Type(".factor [name=password]", password), v.Press("Choisir un second facteur"), v.Has("svg.qr path"))
	v.judge(source, screen{name: "e-second-facteur"})
	spelled, err := browser.Eval[string](v.Tab, `document.querySelector(".secret").textContent.replaceAll(" ", "")`)
	must(t, err)
	p.secret = factor.Secret(spelled)
	must(t, v.Type("form:has(svg.qr) [name=code]", p.code(t)), v.Press("Confirmer"), v.Has(".recovery"))
	v.judge(source, screen{name: "e-codes"})
	must(t, v.Press("J’ai gardé ces codes"), v.See("Il reste 10 codes"))
	v.judge(source, screen{name: "e-compte-protege"})
	must(t, v.Press("Quitter"), v.See("Se connecter"), v.Open("/connexion"))
	v.begin(admin)
	v.judge(source, screen{name: "e-code"})
}

// long is a question as lawyers paste them.
const long = "Notre cliente, cadre depuis onze ans dans une société de travaux publics, a reçu le 3 mars une lettre lui annonçant la rupture de son contrat pour motif économique. L’employeur invoque la perte d’un marché, mais il a recruté deux personnes au même poste le mois d’avant. Elle n’a pas été reçue en entretien, et la lettre ne dit rien de la priorité de réembauche.\n\nQuelle est la durée de son préavis, à quelle indemnité peut-elle prétendre, et dans quel délai doit-elle contester la rupture ?"

// Of an answer that takes its time, what is seen meanwhile.
func TestPicturesOfWaiting(t *testing.T) {
	if os.Getenv("VIGUEUR_TEST_DEEP") != "1" {
		t.Skip("pictures are for who looks at them: VIGUEUR_TEST_DEEP=1")
	}
	v := atSlowPage(t)
	t.Cleanup(v.service.HoldModel(midway))
	source := axe(t)
	must(t, v.Before(stand))
	v.signIn("/connexion", v.reader())
	v.look(source, []screen{
		{"f-redaction", "/", func(v *visit) error {
			v.ask("Quelle est la durée du préavis d’un cadre ?")
			return v.Await(lastAnswer + `.querySelector(".prose").textContent.length > 100`)
		}},
		{"f-arretee", "", func(v *visit) error { return first(v.Press("Arrêter"), v.Await(answered)) }},
		{"f-perdue", "/", func(v *visit) error {
			v.ask("Quel est le préavis d’un ouvrier ?")
			return first(v.Await(lastAnswer+`.querySelector(".prose").textContent.length > 100`), v.Offline(true), v.See("Connexion perdue"))
		}},
	})
	must(t, v.Offline(false))
}
