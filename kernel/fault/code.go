package fault

// Code is a stable, append-only name of a kind of failure. It is an error itself.
type Code string

// The codes of the bus. Their sentences stand in codeText.
const (
	Internal              Code = "INTERNAL"
	InvalidRequest        Code = "INVALID_REQUEST"
	InputInvalid          Code = "INPUT_INVALID"
	OutputInvalid         Code = "OUTPUT_INVALID"
	SchemaInvalid         Code = "SCHEMA_INVALID"
	ToolUnknown           Code = "TOOL_UNKNOWN"
	EndpointGone          Code = "ENDPOINT_GONE"
	NoShell               Code = "NO_SHELL"
	Conflict              Code = "CONFLICT"
	Busy                  Code = "BUSY"
	Timeout               Code = "TIMEOUT"
	Cancelled             Code = "CANCELLED"
	Denied                Code = "DENIED"
	Limit                 Code = "LIMIT"
	OwnerRequired         Code = "OWNER_REQUIRED"
	ScopedContextRequired Code = "SCOPED_CONTEXT_REQUIRED"
	InvocationInvalid     Code = "INVOCATION_INVALID"
	AgentConsentDenied    Code = "AGENT_CONSENT_DENIED"
	AgentConsentTimeout   Code = "AGENT_CONSENT_TIMEOUT"
	AgentConsentLimit     Code = "AGENT_CONSENT_LIMIT"
	AgentModeRevoked      Code = "AGENT_MODE_REVOKED"
	AgentModeLimit        Code = "AGENT_MODE_LIMIT"
	UIBusy                Code = "UI_BUSY"
	AppPaused             Code = "APP_PAUSED"
	RequestExpired        Code = "REQUEST_EXPIRED"
	RequestCancelled      Code = "REQUEST_CANCELLED"
	UserInteractionNeeded Code = "USER_INTERACTION_REQUIRED"
	NotSupported          Code = "NOT_SUPPORTED"
	HandlerFailed         Code = "HANDLER_FAILED"
	ProtocolMismatch      Code = "PROTOCOL_MISMATCH"
	SecretRefused         Code = "SECRET_REFUSED"
	BridgeOpen            Code = "BRIDGE_OPEN"
	NotReady              Code = "NOT_READY"
	Navigated             Code = "NAVIGATED"
	Flood                 Code = "FLOOD"
	Theft                 Code = "THEFT"
	Silent                Code = "SILENT"
	Quarantined           Code = "QUARANTINED"
	Superseded            Code = "SUPERSEDED"
	Locked                Code = "LOCKED"
	AppUnknown            Code = "APP_UNKNOWN"
	PackageInvalid        Code = "PACKAGE_INVALID"
	PackageTooLarge       Code = "PACKAGE_TOO_LARGE"
	ManifestInvalid       Code = "MANIFEST_INVALID"
	VersionNotNewer       Code = "VERSION_NOT_NEWER"
	DigestMismatch        Code = "DIGEST_MISMATCH"
	StoreFull             Code = "STORE_FULL"
	StoreReadOnly         Code = "STORE_READ_ONLY"
	StoreLocked           Code = "STORE_LOCKED"
	StoreNewer            Code = "STORE_NEWER"
	StoreDamaged          Code = "STORE_DAMAGED"
	SignerChanged         Code = "SIGNER_CHANGED"
	FetchFailed           Code = "FETCH_FAILED"
	Unreachable           Code = "UNREACHABLE"
)

var codeText = map[Code]string{
	Internal:              "Something failed inside Neutron. It was logged.",
	InvalidRequest:        "The request is not of the form this action takes.",
	InputInvalid:          "The arguments do not match the tool's input schema.",
	OutputInvalid:         "The tool's result does not match its output schema.",
	SchemaInvalid:         "The tool's schema cannot be used.",
	ToolUnknown:           "No such tool is exposed there.",
	EndpointGone:          "The endpoint is gone.",
	NoShell:               "No workspace is open.",
	Conflict:              "It was changed by somebody else meanwhile.",
	Busy:                  "Too many calls are in flight.",
	Timeout:               "No answer came in time.",
	Cancelled:             "The call was cancelled.",
	Denied:                "The owner refused.",
	Limit:                 "A limit was reached.",
	OwnerRequired:         "Only the owner may do this.",
	ScopedContextRequired: "This app is part of a running turn; use the context's own client.",
	InvocationInvalid:     "This capability is not valid here.",
	AgentConsentDenied:    "The agent refused.",
	AgentConsentTimeout:   "The agent did not decide in time.",
	AgentConsentLimit:     "No more decisions can be asked of the agent.",
	AgentModeRevoked:      "Agent Mode was ended.",
	AgentModeLimit:        "A limit of Agent Mode was reached.",
	UIBusy:                "Another question is waiting for the owner.",
	AppPaused:             "The owner paused this app's questions.",
	RequestExpired:        "The owner did not answer in time.",
	RequestCancelled:      "The question was closed because one side changed.",
	UserInteractionNeeded: "This needs a click or key in the focused tile.",
	NotSupported:          "This action does not exist here.",
	HandlerFailed:         "The tool failed.",
	ProtocolMismatch:      "This page and this Neutron are of different versions.",
	SecretRefused:         "This address was used before, or is too old.",
	BridgeOpen:            "The window could not be sealed, so no app runs.",
	NotReady:              "The page did not become ready in time.",
	Navigated:             "The page left its address.",
	Flood:                 "The page sent more messages than it may.",
	Theft:                 "The page took the keyboard while a question was open.",
	Silent:                "The page stopped answering.",
	Quarantined:           "The page stopped the window twice and is kept closed.",
	Superseded:            "A newer page took its place.",
	Locked:                "Neutron is locked.",
	AppUnknown:            "No such app is installed.",
	PackageInvalid:        "The package is not well formed.",
	PackageTooLarge:       "The package is over a size limit.",
	ManifestInvalid:       "The manifest is not valid.",
	VersionNotNewer:       "This version is not newer than the installed one.",
	DigestMismatch:        "These bytes are not the ones that were reviewed.",
	StoreFull:             "The disk is full. Nothing was changed.",
	StoreReadOnly:         "The data directory cannot be written. Nothing was changed.",
	StoreLocked:           "Another Neutron uses this data directory.",
	StoreNewer:            "The data was written by a newer Neutron and was left untouched.",
	StoreDamaged:          "The database is damaged and was left untouched.",
	SignerChanged:         "The package is not signed by the key that signed this app before.",
	FetchFailed:           "The package could not be fetched.",
	Unreachable:           "The host could not be reached.",
}

// Error makes a bare code usable as an error.
func (c Code) Error() string { return string(c) }

// Text is the code's own sentence.
func (c Code) Text() string {
	if t, ok := codeText[c]; ok {
		return t
	}
	return codeText[Internal]
}

// Known reports whether the code is on the list.
func (c Code) Known() bool { _, ok := codeText[c]; return ok }

// Codes lists every code with its sentence, for the hello and the docs. The order is not fixed.
func Codes() map[Code]string {
	m := make(map[Code]string, len(codeText))
	for c, t := range codeText {
		m[c] = t
	}
	return m
}
