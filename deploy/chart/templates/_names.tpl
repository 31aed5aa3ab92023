{{- define "manila.fullname" -}}
{{- if .Values.fullnameOverride }}{{ .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains (default .Chart.Name .Values.nameOverride) .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name (default .Chart.Name .Values.nameOverride) | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "manila.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "manila.labels" -}}
{{ include "manila.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* The namespace of gateways: one of its own for each release. */ -}}
{{- define "manila.gateways" -}}
{{ .Values.gateways.namespace | default (printf "%s-gateways" (include "manila.fullname" .)) }}
{{- end }}

{{- define "manila.gatewayClass" -}}
{{ .Values.gateways.priorityClass.name | default (ternary (printf "%s-gateways" (include "manila.fullname" .)) "" .Values.gateways.priorityClass.create) }}
{{- end }}

{{- define "manila.image" -}}
{{- $image := .root.Values.image -}}
{{- $digest := index $image.digests .name -}}
{{ printf "%s/%s" $image.registry .name }}{{ ternary (printf "@%s" $digest) (printf ":%s" ($image.tag | default .root.Chart.AppVersion)) (not (empty $digest)) }}
{{- end }}

{{- define "manila.database" -}}
{{ include "manila.fullname" . }}-trial-database
{{- end }}

{{/* Whether a back end attaches its gateways that way. */}}
{{- define "manila.attaches" -}}
{{- range $name, $options := .root.Values.backends }}
{{- if eq (toString $options.kubernetes_attachment) $.by }}yes{{ end }}
{{- end }}
{{- end }}

{{- /* Whether a back end has a namespace for each project. */ -}}
{{- define "manila.spreads" -}}
{{- range .Values.backends }}{{ if eq (toString .kubernetes_namespace_form) "project" }}yes{{ end }}{{ end -}}
{{- end }}

{{- /* Names of the Secrets that are copied into projects' namespaces, each in quotes, separated by commas. */ -}}
{{- define "manila.copiedSecrets" -}}
{{- $known := join "," .Values.image.pullSecrets -}}
{{- $found := list -}}
{{- range .Values.backends }}
{{- if eq (toString .kubernetes_namespace_form) "project" }}
{{- range splitList "," (toString (default $known .kubernetes_pull_secrets)) }}{{ with trim . }}{{ $found = append $found (squote .) }}{{ end }}{{ end -}}
{{- end }}
{{- end -}}
{{- $found | uniq | join ", " -}}
{{- end }}

{{- /* Whether nodes have an agent: only gateways need one. */ -}}
{{- define "manila.agents" -}}
{{- if and .Values.nodeAgent.enabled (include "manila.drives" (dict "root" . "driver" "ganesha-kubernetes")) }}yes{{ end -}}
{{- end }}

{{- /* Whether a back end has the driver; root and driver. */ -}}
{{- define "manila.drives" -}}
{{- range .root.Values.backends }}{{ if eq .share_driver $.driver }}yes{{ end }}{{ end -}}
{{- end }}
