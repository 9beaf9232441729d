// Package proto holds the source of truth of what crosses a process, and its fingerprint.
//
// The protocol hash is compared in the first frame of every link: a page and a
// kernel that differ in any message, field or rule refuse each other at once
// instead of misreading each other later. `make gen` rewrites it; a test fails
// when somebody changed a message and forgot.
package proto

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	"neutron/kernel/fault"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
)

// SpecPath is where the port protocol's version is written, from the repository's root.
const SpecPath = "frontend/src/port/SPEC.md"

var specLine = regexp.MustCompile(`(?mi)^[#*\s]*(?:protocol )?version\b[:*\s]*(\d{1,6})\b`)

// SpecVersion reads the line "Version: N" of the port protocol's SPEC.md.
func SpecVersion(spec []byte) (int, error) {
	m := specLine.FindSubmatch(spec)
	if m == nil {
		return 0, fault.New("proto.spec", fault.InvalidRequest, SpecPath, `there is no line "Version: N"`)
	}
	return strconv.Atoi(string(m[1]))
}

// Fingerprint is the protocol hash, 64 hex digits: SHA-256 over the descriptors of
// both services' files without source info, and the version of the port protocol.
func Fingerprint(specVersion int) (string, error) {
	set := &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{
		protodesc.ToFileDescriptorProto(linkv1.File_neutron_link_v1_link_proto),
		protodesc.ToFileDescriptorProto(controlv1.File_neutron_control_v1_control_proto),
	}}
	for _, f := range set.File {
		f.SourceCodeInfo = nil
	}
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(set)
	if err != nil {
		return "", fault.Wrap("proto.fingerprint", fault.Internal, "", err)
	}
	h := sha256.New()
	h.Write(b)
	h.Write([]byte("\nport " + strconv.Itoa(specVersion)))
	return hex.EncodeToString(h.Sum(nil)), nil
}
