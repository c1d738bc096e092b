#!/bin/sh
# Makes the certificates of this directory anew, valid for a hundred years: a test authority, and certificates that it signed:
# a receiver's, one for another name, and a receiver's that has expired. They guard nothing: no machine trusts the authority, and its own key is thrown away.
set -eu
cd "$(dirname "$0")"

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -sha256 \
  -subj '/CN=Floe test authority' -keyout authority.key -out authority.pem \
  -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign'

issue() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout "$1.key.pem" -out "$1.csr"
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\n' "$2" > "$1.extensions"
  openssl x509 -req -in "$1.csr" -CA authority.pem -CAkey authority.key -CAcreateserial -days "$3" -sha256 \
    -extfile "$1.extensions" -out "$1.pem"
}
receiver='DNS:receiver.test,DNS:localhost,IP:127.0.0.1,IP:0:0:0:0:0:0:0:1'
issue receiver "$receiver" 36500
issue other 'DNS:other.test' 36500
issue expired "$receiver" -1
rm -f ./*.csr ./*.extensions ./*.srl authority.key
