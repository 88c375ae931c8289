package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// TestSharedLists lists links: one's own with their titles, everybody's without a word of them.
func TestSharedLists(t *testing.T) {
	b := setup(t)
	conversation, _ := b.citing(t, uuid.New(), "Loi sur le préavis")
	own := decode[respond.All[conversations.OwnLinkBody]](t, b.get(t, transport.Prefix+"/me/shared"))
	if len(own.Items) != 1 || own.Items[0].ID != conversation || own.Items[0].Title != "Quel préavis ?" || own.Items[0].Questions != 1 {
		t.Errorf("own links %+v", own)
	}
	stranger := []string{"Authorization", "Bearer " + b.tokenOf(t, b.addUser(t, "eve@example.org"))}
	equal(t, "a stranger's links", len(decode[respond.All[conversations.OwnLinkBody]](t, b.do(t, "GET", transport.Prefix+"/me/shared", "", stranger...)).Items), 0)

	chief := b.as(t, "admin")
	all := b.do(t, "GET", transport.Prefix+"/admin/shared", "", chief...)
	if list := decode[respond.Listing[admin.AnyLinkBody]](t, all).Items; len(list) != 1 || list[0].ID != conversation || list[0].UserEmail != b.user.Email || !list[0].Opens {
		t.Errorf("%s", all.body)
	}
	if strings.Contains(string(all.body), "préavis") {
		t.Errorf("words of a conversation: %s", all.body)
	}
	path := transport.Prefix + "/admin/shared/" + conversation.String()
	equal(t, "withdrawn", b.do(t, "DELETE", path, "", chief...).status, http.StatusNoContent)
	wantDetail(t, b.do(t, "DELETE", path, "", chief...), http.StatusNotFound)
	equal(t, "left", len(decode[respond.All[conversations.OwnLinkBody]](t, b.get(t, transport.Prefix+"/me/shared")).Items), 0)
}
