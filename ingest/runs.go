package main

import "context"

// runs are the functions of commands that are more than one request, by the names that declarations give them.
var runs = map[string]func(a *app, ctx context.Context, in *input) error{
	"add": (*app).add, "watch": (*app).watch, "retry": (*app).retryFiles, "forget": (*app).forget,
	"documents set": (*app).documentsSet, "documents show": (*app).documentsShow, "export": (*app).export,
	"ask": (*app).askQuestion, "verify": (*app).verifyFile, "mcp": (*app).mcp,
	"user create": (*app).userCreate, "user password": (*app).userPassword, "user country": (*app).userCountry, "user erase": (*app).userErase,
	"review list": (*app).reviewList, "review accept": (*app).reviewAccept, "review decide": (*app).reviewDecide,
	"versions show": (*app).versionsShow, "versions truth": (*app).versionsTruth, "gazette lines": (*app).gazetteLines, "recut": (*app).recut,
	"follow add": (*app).followAdd,
	"login":      (*app).login, "logout": (*app).logout, "profile list": (*app).profileList, "profile use": (*app).profileUse,
	"migrate up": (*app).migrateUp, "migrate status": (*app).migrateStatus, "doctor": (*app).doctor, "reconcile": (*app).reconcile,
	"files copy": (*app).filesCopy, "config": (*app).config, "retention": (*app).retention,
	"completion": (*app).completion, "man": (*app).man, "version": (*app).version,
}

// shows are the functions that print what a table or a sentence cannot, by the names that declarations give them.
var shows = map[string]func(a *app, ctx context.Context, r *request) error{
	"file": (*app).showFile, "file notes": (*app).statusNotes,
	"review": (*app).showReview, "relations": (*app).showRelations,
}
