# SPDX-License-Identifier: GPL-2.0
# The manifests of packaging/kubernetes: what refers to what, and the options of proberun in them.
# KUBERNETES_SCHEMAS=FOLDER, of a Kubernetes's JSON schemas (daemonset-apps-v1.json and so on, as
# "standalone" ones), checks them by these as well.
#@ needs: python3
python3 -c 'import yaml' 2>/dev/null || { echo 'there is no python3-yaml'; exit 77; }
"$PROBERUN" --help >help
cat >check.py <<'PY'
import json, os, re, sys
import yaml

FILES = {"Namespace": "namespace-v1", "ConfigMap": "configmap-v1",
         "DaemonSet": "daemonset-apps-v1", "Job": "job-batch-v1"}
options = set(re.findall(r"(?<![-\w])--?[a-zA-Z][-a-z]*", open("help").read()))
folder = sys.argv[1]
documents = [d for name in ("daemonset.yaml", "job.yaml")
             for d in yaml.safe_load_all(open(folder + "/" + name))]
kinds = [d["kind"] for d in documents]
assert kinds == ["Namespace", "ConfigMap", "DaemonSet", "Job"], kinds
namespace = documents[0]["metadata"]["name"]
entry = re.search(r"^ENTRYPOINT (.*)$", open(folder + "/Containerfile").read(), re.M)[1]
entry = json.loads(entry)
assert entry[1] == "--trust" and len(entry) == 3, entry
key_folder, key = os.path.split(entry[2])
assert set(documents[1]["data"]) == {key}, documents[1]["data"]
for d in documents[1:]:
    assert d["metadata"]["namespace"] == namespace, d["metadata"]
for d in documents[2:]:
    template = d["spec"]["template"]
    pod = template["spec"]
    [container] = pod["containers"]
    labels = template["metadata"]["labels"]
    if d["kind"] == "DaemonSet":
        assert d["spec"]["selector"]["matchLabels"].items() <= labels.items(), labels
        assert d["spec"]["updateStrategy"]["rollingUpdate"]["maxSurge"] == 0
        [port] = container["ports"]
        assert "--metrics=0.0.0.0:%d" % port["containerPort"] in container["args"], container
        assert container["readinessProbe"]["httpGet"]["port"] == port["name"]
    else:
        [term] = pod["affinity"]["podAntiAffinity"][
            "requiredDuringSchedulingIgnoredDuringExecution"]
        assert term["labelSelector"]["matchLabels"] == labels, term
    assert pod["hostPID"] and pod["automountServiceAccountToken"] is False
    assert pod["terminationGracePeriodSeconds"] >= 30
    security = container["securityContext"]
    assert security == {"privileged": True, "readOnlyRootFilesystem": True}, security
    mounts = {m["name"]: m["mountPath"] for m in container["volumeMounts"]}
    assert set(mounts) == {v["name"] for v in pod["volumes"]}, mounts
    assert mounts["key"] == key_folder and mounts["debug"] == "/sys/kernel/debug", mounts
    [name] = [v["configMap"]["name"] for v in pod["volumes"] if v["name"] == "key"]
    assert name == documents[1]["metadata"]["name"], name
    assert container["args"][0].startswith("/bundles/"), container["args"]
    for word in container["args"][1:]:
        if word.startswith("-"):
            assert word.split("=")[0] in options, word

schemas = os.environ.get("KUBERNETES_SCHEMAS")
def strict(s):
    """Unknown members are mistakes."""
    if isinstance(s, dict):
        if "properties" in s:
            s.setdefault("additionalProperties", False)
        for v in s.values():
            strict(v)
    elif isinstance(s, list):
        for v in s:
            strict(v)
if schemas:
    import jsonschema
    for d in documents:
        schema = json.load(open("%s/%s.json" % (schemas, FILES[d["kind"]])))
        strict(schema)
        jsonschema.Draft7Validator(schema).validate(d)
PY
python3 check.py "$TOP/packaging/kubernetes" >said 2>&1 || fail 'a manifest' said
exit 0
