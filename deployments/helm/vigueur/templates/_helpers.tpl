{{- define "vigueur.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end -}}
{{- end -}}

{{- define "vigueur.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- /* The labels of a part's pods: list of the root and the part. */ -}}
{{- define "vigueur.pods" -}}
app.kubernetes.io/name: {{ (index . 0).Chart.Name }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- /* The image of a program: list of the root and the program. */ -}}
{{- define "vigueur.image" -}}
{{- $root := index . 0 }}{{ $program := index . 1 }}{{ $digest := index $root.Values.image.digests $program -}}
{{ $root.Values.image.registry }}vigueur-{{ $program }}{{ if $digest }}@{{ $digest }}{{ else }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}{{ end }}
{{- end -}}

{{- /* What the Secret may have: under which setting a program finds the file. */ -}}
{{- define "vigueur.secrets" -}}
database_url: { env: VIGUEUR_DATABASE_URL_FILE, of: [api, worker, ingest] }
redis_url: { env: VIGUEUR_REDIS_URL_FILE, of: [api, worker, ingest] }
address_secret: { env: VIGUEUR_ADDRESS_SECRET_FILE, of: [api] }
jwt_secret: { env: VIGUEUR_JWT_SECRET_FILE, of: [api] }
jwt_key.pem: { env: VIGUEUR_JWT_KEY_FILE, of: [api] }
oidc_client_secrets: { env: VIGUEUR_OIDC_CLIENT_SECRETS_FILE, of: [api] }
s3_key: { env: VIGUEUR_BLOBS_KEY_FILE, of: [api, worker, ingest] }
milvus_key: { env: VIGUEUR_MILVUS_KEY_FILE, of: [api, worker, ingest] }
meili_key: { env: VIGUEUR_MEILI_KEY_FILE, of: [api, worker, ingest] }
smtp_url: { env: VIGUEUR_SMTP_URL_FILE, of: [worker] }
model_key: { env: VIGUEUR_MODEL_KEY_FILE, of: [worker] }
embedder_key: { env: VIGUEUR_EMBEDDER_KEY_FILE, of: [worker, ingest] }
{{- end -}}

{{- /* The keys of the Secret that a program reads, in a list: list of the root and the program. */ -}}
{{- define "vigueur.keys" -}}
{{- $root := index . 0 }}{{ $program := index . 1 }}
{{- $there := concat (list "database_url" "redis_url" "address_secret") $root.Values.secrets.has }}
{{- range $key, $secret := include "vigueur.secrets" $root | fromYaml }}
{{- if and (has $key $there) (has $program $secret.of) }}
- {{ $key }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* The environment of a program: list of the root and the program. */ -}}
{{- define "vigueur.env" -}}
{{- $root := index . 0 }}{{ $program := index . 1 }}{{ $secrets := include "vigueur.secrets" $root | fromYaml }}
{{- range $key := include "vigueur.keys" . | fromYamlArray }}
- { name: {{ (index $secrets $key).env }}, value: /run/secrets/vigueur/{{ $key }} }
{{- end }}
{{- if $root.Values.blobs.volume.enabled }}
- { name: VIGUEUR_BLOBS_URL, value: "file:///var/lib/vigueur/blobs" }
{{- else }}
- { name: VIGUEUR_BLOBS_URL, value: {{ required "blobs.url: the bucket of the PDF files, s3://…; or blobs.volume.enabled" $root.Values.blobs.url | quote }} }
{{- end }}
{{- $own := dict }}{{ if ne $program "ingest" }}{{ $own = (index $root.Values $program).settings }}{{ end }}
{{- range $name, $value := merge (dict) $own $root.Values.settings }}
{{- if or (ne $program "ingest") (has $name (list "VIGUEUR_LOG_LEVEL" "VIGUEUR_MEILI_URL" "VIGUEUR_MILVUS_URL" "VIGUEUR_BLOBS_OLDER_URL" "VIGUEUR_EMBEDDER_URL" "VIGUEUR_EMBEDDER_MODEL" "VIGUEUR_KEEP_CONVERSATIONS_DAYS" "VIGUEUR_KEEP_INQUIRIES_DAYS" "VIGUEUR_KEEP_MAILS_DAYS" "VIGUEUR_KEEP_USAGE_DAYS" "VIGUEUR_KEEP_AUDIT_DAYS")) }}
- { name: {{ $name }}, value: {{ toString $value | quote }} }
{{- end }}
{{- end }}
{{- end -}}

{{- /* The volume of the secrets that a program reads: list of the root and the program. */ -}}
{{- define "vigueur.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ (index . 0).Values.secrets.existing }}
    defaultMode: 0440
    items:
{{- range $key := include "vigueur.keys" . | fromYamlArray }}
      - { key: {{ $key }}, path: {{ $key }} }
{{- end }}
{{- end -}}

{{- /* The Secret with the owner's address, which the migration and the backup alone see; empty: one role does everything. */ -}}
{{- define "vigueur.owner" -}}
{{- if .Values.secrets.owner }}{{ .Values.secrets.owner }}{{ else if and .Values.postgres.bundled .Values.postgres.separateRoles }}{{ .Values.secrets.existing }}{{ end -}}
{{- end -}}

{{- define "vigueur.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "vigueur.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- /* Where the pods of a part run: list of the root and the part. */ -}}
{{- define "vigueur.placement" -}}
{{- $part := index (index . 0).Values (index . 1) -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "vigueur.pods" . | nindent 8 }}
{{- with $part.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $part.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $part.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "vigueur.podAnnotations" -}}
{{- $root := index . 0 }}{{ $part := index $root.Values (index . 1) }}
{{- if $root.Values.metrics.annotations }}
prometheus.io/scrape: "true"
prometheus.io/port: "9090"
prometheus.io/path: /metrics
{{- end }}
{{- with $part.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "vigueur.blobsVolume" -}}
{{- if .Values.blobs.volume.enabled }}
- name: blobs
  persistentVolumeClaim:
    claimName: {{ .Values.blobs.volume.existingClaim | default (printf "%s-blobs" (include "vigueur.name" .)) }}
{{- end }}
{{- end -}}
