# shellcheck shell=bash
# The private PostgreSQL: a cluster of this copy alone, on a loopback port with passwords, no unix socket.

# pg COMMAND…: a program of PostgreSQL as the store's account, in its folder, holding none of our locks.
pg() {
	local program=$1 account
	shift
	account=$(store_account postgres)
	(cd "$(stores_folder)/postgres" && as_account "$account" "$(postgres_folder)/$program" "$@") </dev/null 7>&- 8>&- 9>&-
}

# The superuser's password stands only in .state/kept; the product signs in as vigueur, which owns its database.
as_superuser() {
	PGPASSWORD=$(kept_secret postgres-superuser) PGOPTIONS='--client-min-messages=warning' "$(postgres_folder)/psql" \
		-X -q -At -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$(kept postgres-port)" -U postgres "$@" 7>&- 8>&- 9>&-
}

make_cluster() {
	local folder log=$state/log/initdb.log
	folder=$(stores_folder)/postgres
	say "Creating the private PostgreSQL."
	# A creation that was killed half-way leaves a folder that initdb refuses and postgres cannot use.
	rm -rf "${folder:?}/data"
	(cd "$folder" && kept_secret postgres-superuser | as_account "$(store_account postgres)" sh -c 'umask 077 && cat >password')
	pg initdb -D data -U postgres --pwfile=password --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --data-checksums >"$log" 2>&1 ||
		fail "initdb failed: $(tail -n 3 "$log")"
	rm -f "$folder/password"
	touch "$folder/complete"
}

# write_postgres_conf PORT FSYNC: quick at what the tests do, many small databases made from a template, each of which
# ends in a checkpoint, so little is buffered and WAL is kept short. It takes as many connections as the tests may open at once
# (together.sh); one that is not in use costs some kilobytes. FSYNC is on wherever somebody's data may be. Where
# nobody but the tests uses the server it is off: waiting for the disk takes four fifths of the processor time of making
# a database, and what the tests leave is worth nothing after the machine itself has failed.
write_postgres_conf() {
	cat <<-END
		listen_addresses = '127.0.0.1'
		port = $1
		fsync = $2
		full_page_writes = $2
		unix_socket_directories = ''
		external_pid_file = '../pid'
		max_connections = $(test_connections)
		shared_buffers = 128MB
		wal_level = minimal
		max_wal_senders = 0
		max_wal_size = 1GB
		checkpoint_timeout = 15min
		jit = off
		timezone = 'UTC'
		log_timezone = 'UTC'
		log_line_prefix = '%m [%p] %d '
		log_min_messages = warning
		cluster_name = 'vigueur'
	END
}

# is_unsynced: whether the cluster was last started without waiting for the disk.
is_unsynced() { grep -qs '^fsync = off' "$(stores_folder)/postgres/data/postgresql.auto.conf"; }

# sync_postgres makes a running server that does not wait for the disk one that does, as PostgreSQL's manual describes:
# first the setting, then what was written before.
sync_postgres() {
	local attempt
	configure_postgres "$(kept postgres-port)" on
	pg pg_ctl reload -s -D data >/dev/null || return 1
	for attempt in {1..100}; do # it reads its settings a moment later
		[[ $(as_superuser -d postgres -c 'SHOW fsync') != on ]] || break
		((attempt < 100)) || return 1
		sleep 0.1
	done
	pg initdb --sync-only -D data >/dev/null 2>&1
}

configure_postgres() {
	write_postgres_conf "$@" | as_account "$(store_account postgres)" tee "$(stores_folder)/postgres/data/postgresql.auto.conf" >/dev/null
}

# memory_folder: where the databases of tests lie while these run.
memory_folder() { echo "/dev/shm/vigueur-$(printf %s "$root" | sha256sum | head -c 12)"; }

# use_memory gives a server that only tests use a place in the machine's memory, the tablespace vigueur_tests. Each test has
# a database of its own, and making its seven hundred files is most of what that costs on a disk. A machine that has no
# 2 GB to spare there does without.
use_memory() {
	local folder
	folder=$(memory_folder)
	[[ $(stat -f -c %T /dev/shm 2>/dev/null) == tmpfs && $(df --output=avail -BM /dev/shm | tail -n 1 | tr -dc 0-9) -ge 2048 ]] || return 0
	as_account "$(store_account postgres)" mkdir -p -m 700 "$folder" 2>/dev/null || return 0
	as_superuser -d postgres >/dev/null <<-END || warn "The databases of tests lie on the disk: $folder cannot be used."
		CREATE TABLESPACE vigueur_tests LOCATION '$folder';
		GRANT CREATE ON TABLESPACE vigueur_tests TO vigueur;
	END
}

# leave_memory gives that place up, with the databases that killed tests left there. It is gone already after a restart of
# the machine, of which PostgreSQL says no more than a warning.
leave_memory() {
	as_superuser -d postgres >/dev/null <<-END && rm -rf "$(memory_folder)"
		SELECT format('DROP DATABASE %I WITH (FORCE)', datname) FROM pg_database
		WHERE dattablespace = (SELECT oid FROM pg_tablespace WHERE spcname = 'vigueur_tests') \gexec
		DROP TABLESPACE IF EXISTS vigueur_tests;
	END
}

# start_postgres [FSYNC]: on, or off for a server that only tests use.
start_postgres() {
	local folder log attempt fsync=${1:-on}
	folder=$(stores_folder)/postgres
	log=$folder/log
	[[ -e $folder/complete ]] || make_cluster
	# PostgreSQL's own check of a pid file left by a kill asks only whether that number lives, whoever it is now.
	stop_strays "$folder"
	rm -f "$folder/data/postmaster.pid" "$folder/pid"
	[[ ! -e $log || $(stat -c %s "$log") -lt 10000000 ]] || mv "$log" "$log.1"
	if is_unsynced && [[ $fsync == on ]]; then pg initdb --sync-only -D data >/dev/null 2>&1; fi
	for attempt in 1 2 3 4 5; do
		configure_postgres "$(kept_port postgres-port)" "$fsync"
		if pg pg_ctl start -s -w -t 60 -D data -l log >/dev/null 2>&1; then
			prepare_database
			leave_memory || warn "The databases of earlier tests could not be removed."
			[[ $fsync == on ]] || use_memory
			return 0
		fi
		# Another process may have taken the port in between; anything else fails again at once.
		port_is_free "$(kept postgres-port)" && break
	done
	fail "PostgreSQL does not start (attempt $attempt); the end of $log:"$'\n'"$(tail -n 5 "$log" 2>/dev/null)"
}

# prepare_database makes the role and its database, and gives them the kept password, whatever was there before. PostgreSQL
# is given what SCRAM keeps of a password (RFC 5802) in place of the password, with one round of hashing. It would take
# 4,096, which slow down who guesses a person's password, and nobody guesses 256 random bits; but every connection pays for
# them, and under the race detector they were a sixth of the time of some packages.
prepare_database() {
	local password
	password=$(kept_secret postgres-password)
	as_superuser -d postgres <<-END
		SELECT 'CREATE ROLE vigueur LOGIN CREATEDB CREATEROLE' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'vigueur') \gexec
		CREATE FUNCTION pg_temp.padded(key bytea, pad int) RETURNS bytea LANGUAGE sql AS \$\$
			SELECT string_agg(set_byte('\x00', 0, CASE WHEN i < length(key) THEN get_byte(key, i) ELSE 0 END # pad), '' ORDER BY i)
			FROM generate_series(0, 63) i \$\$;
		CREATE FUNCTION pg_temp.hmac(key bytea, message bytea) RETURNS bytea LANGUAGE sql AS \$\$
			SELECT sha256(pg_temp.padded(key, 92) || sha256(pg_temp.padded(key, 54) || message)) \$\$;
		SELECT format('ALTER ROLE vigueur LOGIN CREATEDB CREATEROLE PASSWORD %L', concat('SCRAM-SHA-256\$1:', encode(salt, 'base64'), '\$',
			encode(sha256(pg_temp.hmac(salted, 'Client Key')), 'base64'), ':', encode(pg_temp.hmac(salted, 'Server Key'), 'base64')))
		FROM (SELECT uuid_send(gen_random_uuid()) AS salt) drawn, pg_temp.hmac('$password', salt || '\x00000001') salted \gexec
		SELECT 'CREATE DATABASE vigueur OWNER vigueur' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'vigueur') \gexec
	END
}

stop_postgres() {
	local pid
	pid=$(store_pid postgres) || return 0
	[[ ! -d $(memory_folder) ]] || leave_memory || true # the next start does it
	pg pg_ctl stop -s -w -t 60 -m fast -D data >/dev/null 2>&1 || kill -QUIT "$pid" 2>/dev/null || true
	await_end "$pid" 20 || warn "PostgreSQL ($pid) does not end."
}
