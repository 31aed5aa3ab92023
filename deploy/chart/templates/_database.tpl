{{- /* Connections that a process may have open (cli/service.py `pool_size`), and the one that a worker listens on;
       root, component. */ -}}
{{- define "manila.processConnections" -}}
{{- $database := .root.Values.conf.database | default dict -}}
{{- $overflow := int (dig "max_overflow" 50 $database) -}}
{{- $allowed := max 2 (add (int (dig "max_pool_size" 5 $database)) $overflow) -}}
{{- $queue := add (int (dig "openkeel" "task_concurrency" 16 .root.Values.conf)) 2 -}}
{{- $queues := ternary (max 1 (len .root.Values.backends)) 1 (eq .component "share") -}}
{{- $wanted := add 2 (ternary 10 (mul $queue $queues) (eq .component "api")) -}}
{{- add (ternary $wanted (min $allowed $wanted) (lt $overflow 0)) (ternary 0 1 (eq .component "api")) -}}
{{- end }}

{{- /* Of the whole release, while an upgrade has one pod more of each kind and the job. */ -}}
{{- define "manila.connections" -}}
{{- $root := . -}}
{{- $sum := 2 -}}
{{- range $component := list "api" "scheduler" "share" "data" -}}
{{- $own := index $root.Values $component -}}
{{- if ne (toString $own.enabled) "false" -}}
{{- $workers := int ($own.workers | default 1) -}}
{{- /* several API processes have a parent with a pool of its own */ -}}
{{- $processes := mul (add (int $own.replicas) 1) (add $workers (ternary 1 0 (gt $workers 1))) -}}
{{- $sum = add $sum (mul $processes (int (include "manila.processConnections" (dict "root" $root "component" $component)))) -}}
{{- end -}}
{{- end -}}
{{- $sum -}}
{{- end }}
