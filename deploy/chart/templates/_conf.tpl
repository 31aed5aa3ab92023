{{- /* A number as it was written: YAML makes 50000000 a float, and 1.5 stays one. */ -}}
{{- define "manila.value" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
{{- end }}

{{- /* A section: the options sorted by name; a list is joined by commas, `driver` and `policy_dirs` are repeated.
       What a pod has, a map or a list of maps, is written as JSON. */ -}}
{{- define "manila.section" -}}
{{- $repeated := list "driver" "policy_dirs" -}}
[{{ .name }}]
{{- range $option, $value := .options }}
{{- if and (kindIs "slice" $value) (has $option $repeated) }}
{{- range $value }}
{{ $option }} = {{ include "manila.value" . }}
{{- end }}
{{- else if and (kindIs "slice" $value) (eq $option "kubernetes_tolerations") }}
{{ $option }} = {{ toJson $value }}
{{- else if kindIs "slice" $value }}
{{ $option }} = {{ range $place, $one := $value }}{{ if $place }},{{ end }}{{ include "manila.value" $one }}{{ end }}
{{- else if kindIs "map" $value }}
{{ $option }} = {{ toJson $value }}
{{- else if not (kindIs "invalid" $value) }}
{{ $option }} = {{ include "manila.value" $value }}
{{- end }}
{{- end }}
{{ end }}

{{- /* What the chart knows of manila.conf by itself, under what the operator says. */ -}}
{{- define "manila.conf" -}}
{{- $root := . -}}
{{- $known := dict
  "DEFAULT" (dict
    "host" (include "manila.fullname" .)
    "osapi_share_listen" "::"
    "osapi_share_listen_port" .Values.api.port
    "osapi_share_workers" .Values.api.workers
    "enabled_share_backends" (keys .Values.backends | sortAlpha | join ",")
    "enabled_share_protocols" "NFS"
    "state_path" "/var/lib/manila")
  "openkeel" (dict "metrics_listen" "::" "metrics_port" 9090)
  "oslo_concurrency" (dict "lock_path" "/var/lib/manila/lock") -}}
{{- if .Values.api.ingress.enabled -}}
{{- /* links have the scheme that the client used, which only the proxy's headers tell */ -}}
{{- $_ := set $known "oslo_middleware" (dict "enable_proxy_headers_parsing" true) -}}
{{- /* the two that every Ingress controller overwrites; a client could set the prefix */ -}}
{{- $_ := set $known.openkeel "trusted_proxy_headers" "X-Forwarded-Proto,X-Forwarded-Host" -}}
{{- end -}}
{{- $whole := mergeOverwrite $known (deepCopy .Values.conf) -}}
{{ range $name, $options := $whole }}
{{- if $options }}
{{ include "manila.section" (dict "name" $name "options" $options) }}
{{- end }}
{{- end }}
{{- range $name, $options := .Values.backends }}
{{- $own := dict "share_backend_name" $name -}}
{{- if eq $options.share_driver "ganesha-kubernetes" -}}
{{- $own = dict
  "share_backend_name" $name
  "kubernetes_namespace" (include "manila.gateways" $root)
  "kubernetes_gateway_image" (include "manila.image" (dict "root" $root "name" "manila-gateway"))
  "kubernetes_gateways_path" $root.Values.gateways.path
  "kubernetes_priority_class" (include "manila.gatewayClass" $root) -}}
{{- else if eq $options.share_driver "longhorn-rwx" -}}
{{- $own = dict
  "share_backend_name" $name
  "kubernetes_namespace" (include "manila.gateways" $root)
  "kubernetes_gateway_image" (include "manila.image" (dict "root" $root "name" "manila-gateway")) -}}
{{- end -}}
{{- if and $root.Values.image.pullSecrets (has $options.share_driver (list "ganesha-kubernetes" "longhorn-rwx")) -}}
{{- $_ := set $own "kubernetes_pull_secrets" (join "," $root.Values.image.pullSecrets) -}}
{{- end }}
{{ include "manila.section" (dict "name" $name "options" (mergeOverwrite $own (deepCopy $options))) }}
{{- end }}
{{- with .Values.rawConf }}
{{ . }}
{{- end }}
{{- end }}

{{- define "manila.secretConf" -}}
{{- $sections := deepCopy (.Values.secretConf.sections | default dict) -}}
{{- if .Values.trialDatabase.enabled -}}
{{- $url := printf "postgresql://manila:%s@%s.%s.svc:5432/manila" (.Values.trialDatabase.password | urlquery) (include "manila.database" .) .Release.Namespace -}}
{{- $sections = mergeOverwrite (dict "database" (dict "connection" $url)) $sections -}}
{{- end -}}
{{- range $name, $options := $sections }}
{{ include "manila.section" (dict "name" $name "options" $options) }}
{{- end }}
{{- end }}

{{- define "manila.secretName" -}}
{{ .Values.secretConf.existingSecret | default (printf "%s-secrets" (include "manila.fullname" .)) }}
{{- end }}

{{- /* Another one: the pods start anew. Of a Secret that others make helm sees the content only where it talks to the
       cluster (not in `helm template`) and may read it. */ -}}
{{- define "manila.secretMark" -}}
{{- $name := .Values.secretConf.existingSecret -}}
{{- if $name -}}
{{- $found := lookup "v1" "Secret" .Release.Namespace $name | default dict -}}
{{- list $name (dig "data" "manila-secrets.conf" "" $found) | toJson | sha256sum -}}
{{- else -}}
{{- include "manila.secretConf" . | sha256sum -}}
{{- end -}}
{{- end }}

{{- /* As secretMark, of secretFiles. */ -}}
{{- define "manila.filesMark" -}}
{{- $name := .Values.secretFiles -}}
{{- $found := lookup "v1" "Secret" .Release.Namespace $name | default dict -}}
{{- list $name (dig "data" dict $found) | toJson | sha256sum -}}
{{- end }}
