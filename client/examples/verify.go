// Package webhook verifies notifications of Floe.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// Verify returns nil if one of the secrets signed the request, and its time is near the clock. The first three
// arguments are the headers webhook-id, webhook-timestamp and webhook-signature.
func Verify(id, timestamp, signatures string, body []byte, secrets []string, now time.Time) error {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return errors.New("webhook-timestamp is missing, or too far from the clock")
	}
	isSigned := false
	for _, secret := range secrets {
		key, err := decodeKey(secret)
		if err != nil {
			return err
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + timestamp + "."))
		mac.Write(body)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, signature := range strings.Split(signatures, " ") {
			// hmac.Equal compares in constant time.
			isSigned = hmac.Equal(expected, []byte(signature)) || isSigned
		}
	}
	if !isSigned {
		return errors.New("webhook-signature is missing or wrong")
	}
	return nil
}

// decodeKey decodes the key in a signing secret.
func decodeKey(secret string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if !strings.HasPrefix(secret, "whsec_") || err != nil || len(key) < 24 || len(key) > 64 {
		return nil, errors.New("a signing secret is whsec_ and the base64 of 24 to 64 bytes")
	}
	return key, nil
}
