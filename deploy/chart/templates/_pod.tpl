{{- /* A pod of one of the service's programs. root, component, image, command, account, resources. */ -}}
{{- define "manila.pod" -}}
{{- $root := .root -}}
metadata:
  labels:
    {{- include "manila.selector" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
    {{- with omit $root.Values.podLabels "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/component" }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    checksum/conf: {{ include "manila.conf" $root | sha256sum }}
    checksum/secrets: {{ include "manila.secretMark" $root }}
    {{- if $root.Values.secretFiles }}
    checksum/files: {{ include "manila.filesMark" $root }}
    {{- end }}
    checksum/policy: {{ list $root.Values.policy $root.Values.files | toJson | sha256sum }}
    {{- with $root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ .account }}
  automountServiceAccountToken: {{ .token | default false }}
  enableServiceLinks: false
  terminationGracePeriodSeconds: 60
  {{- with $root.Values.image.pullSecrets }}
  imagePullSecrets: {{- range . }}
    - name: {{ . }}
  {{- end }}
  {{- end }}
  {{- with $root.Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $root.Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.hostAliases }}
  hostAliases: {{- toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: {{ $root.Values.topologyKey }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "manila.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ .component }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    seccompProfile: {type: RuntimeDefault}
  {{- with .wait }}
  initContainers:
    {{- . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ include "manila.image" (dict "root" $root "name" .image) }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      command:
        {{- toYaml .command | nindent 8 }}
      args: [--config-file, /etc/manila/manila-secrets.conf, --config-file, /etc/manila/manila.conf]
      {{- with $root.Values.extraEnv }}
      env: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- if ne .component "migrate" }}
      ports:
        - {name: metrics, containerPort: 9090}
        {{- if eq .component "api" }}
        - {name: api, containerPort: {{ $root.Values.api.port }}}
        {{- end }}
      {{- if eq .component "api" }}
      # who sends requests here hears a moment later than this pod that it ends
      lifecycle: {preStop: {exec: {command: [sleep, "3"]}}}
      {{- end }}
      startupProbe:
        httpGet: {path: /healthz, port: metrics}
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: {path: /healthz, port: metrics}
        periodSeconds: 20
        timeoutSeconds: 5
      readinessProbe:
        httpGet: {path: /readyz, port: metrics}
        periodSeconds: {{ ternary 2 5 (eq .component "api") }}
        timeoutSeconds: 5
        {{- if eq .component "api" }}
        # a database that is away for a minute is told to clients, who else would find nobody; a new pod must reach it
        failureThreshold: 30
        {{- end }}
      {{- end }}
      resources: {{- toYaml .resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      volumeMounts:
        - {name: conf, mountPath: /etc/manila, readOnly: true}
        - {name: state, mountPath: /var/lib/manila}
        - {name: tmp, mountPath: /tmp}
        {{- if $root.Values.secretFiles }}
        - {name: secret-files, mountPath: /etc/manila-secrets, readOnly: true}
        {{- end }}
        {{- with $root.Values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: conf
      projected:
        defaultMode: 0440
        sources:
          - configMap: {name: {{ .conf | default (include "manila.fullname" $root) }}}
          - secret:
              name: {{ .secrets | default (include "manila.secretName" $root) }}
              items: [{key: manila-secrets.conf, path: manila-secrets.conf}]
    - {name: state, emptyDir: {sizeLimit: 64Mi}}
    - {name: tmp, emptyDir: {medium: Memory, sizeLimit: 64Mi}}
    {{- with $root.Values.secretFiles }}
    - {name: secret-files, secret: {secretName: {{ . }}, defaultMode: 0440}}
    {{- end }}
    {{- with $root.Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
