{{- /* What would be installed and could never work is refused before anything is made. */ -}}
{{- define "manila.checks" -}}
{{- $secret := .Values.secretConf -}}
{{- if and $secret.existingSecret $secret.sections -}}
{{- fail "secretConf.existingSecret and secretConf.sections: one of the two, the sections would be read by nobody" -}}
{{- end -}}
{{- include "manila.checkSecrets" . -}}
{{- include "manila.checkLogin" (dict "root" . "section" "keystone_authtoken") -}}
{{- if include "manila.asksNeutron" . -}}
{{- include "manila.checkLogin" (dict "root" . "section" "neutron") -}}
{{- end -}}
{{- if not (or $secret.existingSecret .Values.trialDatabase.enabled) -}}
{{- $connection := dig "database" "connection" "" $secret.sections -}}
{{- $_ := required "secretConf: the service needs a database: existingSecret, a Secret with [database] connection in its manila-secrets.conf, or sections.database.connection; trialDatabase.enabled for a trial" $connection -}}
{{- end -}}
{{- end }}

{{- /* How the service logs in to Keystone, for tokens or for Neutron; root and section. What stands in the Secret or in
       rawConf cannot be seen here: null says so of an option that the chart has. */ -}}
{{- define "manila.checkLogin" -}}
{{- $conf := index .root.Values.conf .section | default dict -}}
{{- $way := $conf.auth_type | default "password" -}}
{{- $alone := or (has $way (list "none" "admin_token")) (and (eq .section "keystone_authtoken") (dig "openkeel" "static_tokens" "" .root.Values.conf)) -}}
{{- if not $alone -}}
{{- if and (hasKey $conf "auth_url") (not $conf.auth_url) -}}
{{- fail (printf "conf.%s.auth_url is empty: set it to Keystone's URL, such as https://keystone.example/v3, or to null if it stands in the Secret or in rawConf" .section) -}}
{{- end -}}
{{- $sections := .root.Values.secretConf.sections -}}
{{- if and (eq $way "password") (not .root.Values.secretConf.existingSecret) -}}
{{- $own := index $sections .section | default dict -}}
{{- $_ := required (printf "secretConf.sections.%s.password: the service cannot log in without one (or existingSecret, a Secret with [%s] password in its manila-secrets.conf)" .section .section) $own.password -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- /* Whether a back end takes ports of share servers from Neutron. */ -}}
{{- define "manila.asksNeutron" -}}
{{- range .Values.backends -}}
{{- $class := default "neutron" .network_api_class -}}
{{- if and (eq (toString .driver_handles_share_servers | lower) "true") (contains "neutron" $class) (not .network_config_group) }}yes{{ end -}}
{{- end -}}
{{- end }}

{{- /* conf and rawConf go into ConfigMaps: no option that is secret may stand there. */ -}}
{{- define "manila.checkSecrets" -}}
{{- $root := . -}}
{{- range $section, $options := .Files.Get "files/secret-options.yaml" | fromYaml -}}
{{- range $option := $options -}}
{{- $raw := printf "(?m)^\\[%s\\][ \\t]*\\n(?:[^\\[\\n][^\\n]*\\n|\\n)*%s[ \\t]*[=:]" $section $option -}}
{{- if or (index (index $root.Values.conf $section | default dict) $option) (regexMatch $raw $root.Values.rawConf) -}}
{{- fail (printf "[%s] %s is secret, and conf and rawConf are readable in a ConfigMap: put it into secretConf.sections.%s, or into the Secret of secretConf.existingSecret" $section $option $section) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}
