# Verifies a notification that was saved as a file: sh verify.sh ID TIMESTAMP SIGNATURES FILE ends with 0 if it is genuine.
# FLOE_SIGNING_SECRET is the signing secret. The lengths are checked, because an empty key would let anyone sign. Other
# users of the machine can see the key while openssl runs.
set -f # so that no * in a header becomes the names of files
case $2 in '' | 0* | *[!0-9]* | ?????????????*) exit 1 ;; esac
age=$(($(date +%s) - $2))
[ "${age#-}" -le 300 ] || exit 1
key=$(printf %s "${FLOE_SIGNING_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
signature=$({ printf %s.%s. "$1" "$2" && cat "$4"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
[ ${#key} -ge 48 ] && [ ${#signature} = 44 ] || exit 1
for received in $3; do [ "$received" != "v1,$signature" ] || exit 0; done
exit 1
