// Package limit holds every limit of Neutron: one constant, one sentence, and
// the code on breach. Other packages and, through the hello, the shells quote
// this file; there is no second list.
package limit

//go:generate go run ./gen ../../docs/limits.md

import (
	"time"

	"neutron/kernel/fault"
)

// Envelope and JSON.
const (
	PayloadBytes     = 1 << 20 // UTF-8 bytes of one payload or result
	JSONDepth        = 64      // nested arrays and objects
	JSONNodes        = 200_000 // values in one payload
	JSONMembers      = 20_000  // members of one object
	NumberLiteral    = 32      // characters of one number literal
	NumberExponent   = 308     // absolute value of a literal's exponent
	ErrorMessage     = 1_000   // characters of an app's error message
	EnvelopeIDMax    = 1<<53 - 1
	ActionName       = 64 // characters of an action's name
	PortTokensPerSec = 400
	PortBurst        = 2_400 // one request's 2,000 progress events and some calls
)

// Names.
const (
	AppID       = 30 // characters of an app's id; at least 4
	TileID      = 30 // characters of a tile's id
	Instance    = 64 // characters of an instance, of a server's or a remote's name
	DisplayName = 40 // characters of the name that an app gives itself
)

// Calls.
const (
	CallsInFlight   = 8
	CallTimeout     = 60 * time.Second // when the caller names none
	CallTimeoutMax  = 300 * time.Second
	DiscoverTimeout = 10 * time.Second
	ProgressBytes   = 64 << 10
	ProgressEvents  = 2_000

	ContextBytes = 4 << 10     // an envelope's context
	LaneMessages = 8_192       // messages of one connection waiting to be judged; more is FLOOD
	LaneBytes    = 64 << 20    // theirs
	IdleWorkers  = 16          // goroutines of the bus that rest between messages
	BusyRetry    = time.Second // what BUSY tells its caller to wait
	CausedAge    = time.Second // a click or key counts as the cause of a question for so long
)

// Descriptors and schemas.
const (
	SchemaBytes      = 32 << 10
	DescriptorBytes  = 64 << 10
	SchemaNodes      = 2_000
	SchemaDepth      = 20
	SchemaKeys       = 256   // members of one object of a schema
	SchemaString     = 4_096 // characters of a string inside a schema
	SchemaPattern    = 256   // characters of one pattern
	SchemaCost       = 10_000
	PatternInput     = 8 << 10   // bytes of a string that a pattern is run on
	PatternProgram   = 1_024     // instructions of one compiled pattern
	ValidateSteps    = 2_000_000 // work of one validation: schema visits, members, enum values, pattern instructions
	SchemasCached    = 512       // compiled schemas kept; the one used longest ago goes first
	ToolsPerEndpoint = 64
	ToolName         = 128
	ToolTitle        = 120
	ToolDescription  = 1_000
	AnnotationDepth  = 8
	AnnotationString = 256
	AnnotationKey    = 128
)

// Frames and endpoints.
const (
	Apps        = 255
	Backgrounds = 32
	TilesPerApp = 32
	TilesOpen   = 96
	Ready       = 15 * time.Second
	PortWait    = 2 * time.Second
	LoadPing    = 800 * time.Millisecond
	EntryToken  = 60 * time.Second

	Watch         = 3 * time.Second  // a frame that returned after a stall: longer than a stall takes to be seen
	RecoverGather = 2 * time.Second  // quiet time before suspects return, so that the others come first
	StrikeAge     = 10 * time.Minute // a suspect is remembered for so long
)

// Questions.
const (
	QuestionsWaiting = 16
	QuestionsPerApp  = 1
	QuestionShown    = 60 * time.Second
	QuestionUnseen   = 300 * time.Second // a chip nobody opened
	QuestionArm      = 700 * time.Millisecond
	RefusalPause     = 10 * time.Second
	PauseMax         = 10 * time.Minute
	Thefts           = 2
)

// Audit.
const (
	AuditRing    = 200
	AuditField   = 2_048
	AuditPage    = 200
	AuditEntries = 100_000 // durable log; the oldest go first

	AuditFlush     = 100 * time.Millisecond // a settled plain call is on disk after this
	AuditUnwritten = 4_096                  // settled calls kept while the disk refuses them
	AuditFollow    = 256                    // entries waiting for one slow follower
)

// Link.
const (
	HelloBytes     = 4 << 10
	HelloWait      = 5 * time.Second
	LinkFrameBytes = 4 << 20
	LinkSendQueue  = 4_096 // frames waiting for one shell
	Shells         = 8
	BootSecret     = 60 * time.Second
	Ping           = 500 * time.Millisecond
	Stall          = 2 * time.Second
	DocBytes       = 256 << 10
	Docs           = 64
	UploadChunk    = 1 << 20
	Receipts       = 10_000
	ReceiptAge     = 7 * 24 * time.Hour
	LinkSendBytes  = 64 << 20         // bytes waiting for one shell; over it the link closes
	LinkWrite      = 30 * time.Second // one write to a shell's socket
	LinkTokens     = 20_000           // frames of one shell per second, refilled at this rate
	LinkBurst      = 60_000           // frames of one shell at once
	LinkClose      = 2 * time.Second  // a closing link's last frames
	HellosWaiting  = 32               // sockets that have not said hello; more get 503
	SecretFailures = 20               // refused secrets at once; later refusals wait SecretPause each
	SecretPause    = time.Second
	BootsWaiting   = 32                     // boot secrets nobody used yet; the oldest goes first
	Clients        = 64                     // resumable shells; the longest unused goes first
	TwinWait       = 500 * time.Millisecond // a resumed shell's older link must answer within it to count as a second tab
)

// The bridge gate, the watchdog and the shells' requests.
const (
	ProbeSettle    = 100 * time.Millisecond // a message of the probe reaches the window's hook within it
	ProbeWait      = 15 * time.Second       // the window's answer, and the probe's report
	ProbeTries     = 3                      // when no answer came; an answer that is bad is final
	CrashTold      = 2 * time.Second        // the window tells of a dead web process within it after its link ended
	StallAgain     = 10 * time.Second       // after "wait" the owner is asked again
	RequestsAtOnce = 64                     // of one shell; more are told BUSY
	UploadsAtOnce  = 4                      // of one shell
	WindowQueue    = 256                    // messages waiting for the native window
)

// The command line.
const (
	LockWait  = 2 * time.Second       // a command waits so long for a data directory that another one has open
	LockRetry = 50 * time.Millisecond // between two tries

	AnswerWait = 5 * time.Second // a running kernel answers a command's first question within it
)

// Packages from a local file.
const (
	PackageBytes      = 128 << 20
	PackageEntries    = 16_384
	PackagePath       = 512
	PackageEntryBytes = 64 << 20
	PackageTotalBytes = 256 << 20
	PackageRatio      = 200 // decoded over packed, for entries over 1 MiB
	ManifestBytes     = 256 << 10
	ReviewsOpen       = 4
	ReviewAge         = 10 * time.Minute
	IconBytes         = 12 << 10 // of one icon: those of all apps travel in one frame of the link
	AppDescription    = 280      // characters an app or a tile says about itself
	AssetCache        = 32 << 20 // bytes of unpacked files kept for serving, in all
	AssetCacheFile    = 2 << 20  // bytes of the largest file that is kept
)

// Packages from an https address. What is not listed here is as for a local file.
const (
	RemoteBytes      = 32 << 20
	RemoteEntries    = 4_096
	RemoteEntryBytes = 16 << 20
	RemoteTotalBytes = 64 << 20
	RemoteURL        = 4_096            // characters of the address
	RemoteWait       = 15 * time.Second // for the headers of the answer
	RemoteFetch      = 5 * time.Minute  // for the whole package
)

// The way out of the window: declared origins, and the proxy that lets them pass.
const (
	Origins       = 16  // https origins that one app declares
	OriginHost    = 253 // characters of an origin's host
	EgressTunnels = 128 // open at once, of all apps
	EgressPerHost = 32  // open at once, to one host
	EgressHead    = 8 << 10
	EgressHello   = 5 * time.Second  // from a connection to the end of its request
	EgressDial    = 15 * time.Second // for looking a host up and reaching it
	EgressIdle    = 5 * time.Minute  // without a byte in either direction
	EgressTries   = 4                // addresses of one host that are tried
)

// What apps keep.
const (
	DataKey        = 512         // bytes of one key
	DataValue      = 1_000_000   // JSON text of one value
	DataDepth      = 56          // nested arrays and objects of a value: an answer wraps it in a few more
	DataNodes      = 150_000     // values inside a value, for the same reason
	DataEntry      = 32          // bytes that an entry counts for beside its key and value
	DataBytes      = 64 << 20    // keys and values of one installation
	DataBlob       = 16 << 20    // one blob
	DataBlobBytes  = 512 << 20   // blobs of one installation
	DataBatch      = 100         // changes of one batch
	DataPage       = 1_000       // entries of one page; its bytes and nodes are bounded by the payload's
	DataChunk      = 512 << 10   // bytes of a blob in one envelope
	DataUploads    = 2           // unfinished blobs of one installation
	DataUploading  = 8           // unfinished blobs in all
	DataUploadIdle = time.Minute // after it an unfinished blob makes room for another
	DataGroup      = 256         // changes that share one commit
	DataGroupSize  = 16 << 20    // bytes of them
)

// Revisions that apps publish.
const (
	StateTopic    = 64                    // characters of a topic
	StateRevision = 128                   // digits of a revision
	StateTopics   = 64                    // topics kept for one app, and for one listening page
	StateApps     = 128                   // apps whose topics are kept; the one that published longest ago goes first
	StateEvery    = 10 * time.Millisecond // between two revisions told to one page: it answers each on its port
	StateWait     = 10 * time.Second      // for that answer
)

// Row is one limit as the hello and the docs show it.
type Row struct {
	Name     string
	Value    int64
	Unit     string
	Sentence string
	Code     fault.Code
}

// Table lists the limits that a shell, an app author or the docs need to know.
func Table() []Row {
	ms := func(d time.Duration) int64 { return d.Milliseconds() }
	return []Row{
		{"payloadBytes", PayloadBytes, "bytes", "JSON text of one payload or result.", fault.Limit},
		{"jsonDepth", JSONDepth, "levels", "Nested arrays and objects in a payload.", fault.InvalidRequest},
		{"jsonNodes", JSONNodes, "values", "Values in one payload.", fault.InvalidRequest},
		{"jsonMembers", JSONMembers, "members", "Members of one object.", fault.InvalidRequest},
		{"errorMessage", ErrorMessage, "characters", "An app's error message; the rest is cut.", ""},
		{"portTokensPerSec", PortTokensPerSec, "messages/s", "Messages of one port, refilled at this rate.", fault.Flood},
		{"portBurst", PortBurst, "messages", "Messages of one port at once.", fault.Flood},
		{"callsInFlight", CallsInFlight, "calls", "Routed calls in flight of one endpoint.", fault.Busy},
		{"callTimeoutMs", ms(CallTimeout), "ms", "A call that names no timeout.", fault.Timeout},
		{"callTimeoutMaxMs", ms(CallTimeoutMax), "ms", "The longest timeout a call may name.", fault.InvalidRequest},
		{"discoverTimeoutMs", ms(DiscoverTimeout), "ms", "Listing an endpoint's tools.", fault.Timeout},
		{"progressBytes", ProgressBytes, "bytes", "One progress value; a larger one is dropped.", ""},
		{"progressEvents", ProgressEvents, "events", "Progress values of one call; later ones are dropped.", ""},
		{"schemaBytes", SchemaBytes, "bytes", "One JSON Schema.", fault.SchemaInvalid},
		{"descriptorBytes", DescriptorBytes, "bytes", "One tool descriptor.", fault.SchemaInvalid},
		{"schemaCost", SchemaCost, "steps", "Static cost of a schema.", fault.SchemaInvalid},
		{"patternProgram", PatternProgram, "instructions", "One compiled pattern.", fault.SchemaInvalid},
		{"patternInput", PatternInput, "bytes", "A string that a pattern is run on.", fault.InputInvalid},
		{"validateSteps", ValidateSteps, "steps", "Judging one value against one schema.", fault.Limit},
		{"toolsPerEndpoint", ToolsPerEndpoint, "tools", "Tools that one endpoint exposes.", fault.Limit},
		{"backgrounds", Backgrounds, "frames", "Backgrounds of one installation.", fault.Limit},
		{"tilesOpen", TilesOpen, "tiles", "Open tiles in all.", fault.Limit},
		{"readyMs", ms(Ready), "ms", "A frame's start until its handshake.", fault.NotReady},
		{"portWaitMs", ms(PortWait), "ms", "A page's wait for its port before a call fails.", fault.Timeout},
		{"loadPingMs", ms(LoadPing), "ms", "Answer to a ping after a repeated load.", fault.Navigated},
		{"questionShownMs", ms(QuestionShown), "ms", "A question on screen.", fault.RequestExpired},
		{"questionArmMs", ms(QuestionArm), "ms", "Buttons wait after paint and after each key or click.", ""},
		{"refusalPauseMs", ms(RefusalPause), "ms", "Pause of an app's questions after a refusal.", fault.AppPaused},
		{"thefts", Thefts, "times", "A frame may take the keyboard during a question before it is ended.", fault.Theft},
		{"auditRing", AuditRing, "entries", "Newest calls an app can list.", ""},
		{"docBytes", DocBytes, "bytes", "One durable document of the shell.", fault.Limit},
		{"uploadChunk", UploadChunk, "bytes", "One chunk of a package.", fault.Limit},
		{"packageBytes", PackageBytes, "bytes", "A package file.", fault.PackageTooLarge},
		{"packageEntries", PackageEntries, "entries", "Files in a package.", fault.PackageTooLarge},
		{"packageEntryBytes", PackageEntryBytes, "bytes", "One unpacked file of a package.", fault.PackageTooLarge},
		{"packageTotalBytes", PackageTotalBytes, "bytes", "All unpacked files of a package.", fault.PackageTooLarge},
		{"packagePath", PackagePath, "bytes", "The name of a file in a package.", fault.PackageInvalid},
		{"packageRatio", PackageRatio, "times", "How much a file over 1 MiB grows when it is unpacked.", fault.PackageTooLarge},
		{"manifestBytes", ManifestBytes, "bytes", "A package's neutron.json.", fault.PackageTooLarge},
		{"iconBytes", IconBytes, "bytes", "An app's icon.", fault.ManifestInvalid},
		{"appDescription", AppDescription, "characters", "What an app or a tile says about itself.", fault.ManifestInvalid},
		{"tilesPerApp", TilesPerApp, "tiles", "Kinds of tile of one app.", fault.ManifestInvalid},
		{"apps", Apps, "apps", "Installed apps.", fault.Limit},
		{"origins", Origins, "origins", "https origins that one app declares.", fault.ManifestInvalid},
		{"remoteBytes", RemoteBytes, "bytes", "A package from an https address.", fault.PackageTooLarge},
		{"remoteEntries", RemoteEntries, "entries", "Files in a package from an https address.", fault.PackageTooLarge},
		{"remoteEntryBytes", RemoteEntryBytes, "bytes", "One unpacked file of such a package.", fault.PackageTooLarge},
		{"remoteTotalBytes", RemoteTotalBytes, "bytes", "All unpacked files of such a package.", fault.PackageTooLarge},
		{"dataKey", DataKey, "bytes", "One key of what an app keeps.", fault.InvalidRequest},
		{"dataValue", DataValue, "bytes", "JSON text of one value that an app keeps.", fault.Limit},
		{"dataDepth", DataDepth, "levels", "Nested arrays and objects of such a value.", fault.InvalidRequest},
		{"dataNodes", DataNodes, "values", "Values inside such a value.", fault.InvalidRequest},
		{"dataBytes", DataBytes, "bytes", "All keys and values of one app; each entry counts 32 bytes more.", fault.Limit},
		{"dataBatch", DataBatch, "changes", "Changes of one batch.", fault.Limit},
		{"dataPage", DataPage, "entries", "Entries of one page of a list.", fault.InvalidRequest},
		{"dataBlob", DataBlob, "bytes", "One blob that an app keeps.", fault.Limit},
		{"dataBlobBytes", DataBlobBytes, "bytes", "All blobs of one app.", fault.Limit},
		{"dataChunk", DataChunk, "bytes", "A blob's bytes in one message.", fault.Limit},
		{"dataUploads", DataUploads, "blobs", "Blobs that one app is writing.", fault.Busy},
		{"stateTopics", StateTopics, "topics", "Topics of one app whose newest revision is kept.", fault.Limit},
		{"egressTunnels", EgressTunnels, "connections", "Connections of all apps out of the window at once.", ""},
		{"egressPerHost", EgressPerHost, "connections", "Those of them to one host.", ""},
	}
}
