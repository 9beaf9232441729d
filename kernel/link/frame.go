package link

import (
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

// wellFormed judges what a known frame must have before the host sees it. A frame
// that breaks this can only come from another program, so the link ends.
func wellFormed(m *linkv1.ToKernel) bool {
	switch f := m.Frame.(type) {
	case *linkv1.ToKernel_Hello:
		return false // only the first frame says hello
	case *linkv1.ToKernel_Request:
		return f.Request.GetId() > 0 && len(f.Request.GetSubmission()) <= 26
	case *linkv1.ToKernel_FrameConnected:
		return onPort(f.FrameConnected.GetFrameId(), f.FrameConnected.GetConnection())
	case *linkv1.ToKernel_FrameEnded:
		return frameID(f.FrameEnded.GetFrameId()) && len(f.FrameEnded.GetCode()) <= limit.ActionName
	case *linkv1.ToKernel_PortExec:
		e := f.PortExec
		return onPort(e.GetFrameId(), e.GetConnection()) && envelopeID(e.GetId())
	case *linkv1.ToKernel_PortCancel:
		e := f.PortCancel
		return onPort(e.GetFrameId(), e.GetConnection()) && envelopeID(e.GetId())
	case *linkv1.ToKernel_PortResponse:
		e := f.PortResponse
		return onPort(e.GetFrameId(), e.GetConnection()) && envelopeID(e.GetCall()) && e.Result != nil
	case *linkv1.ToKernel_PortProgress:
		e := f.PortProgress
		return onPort(e.GetFrameId(), e.GetConnection()) && envelopeID(e.GetCall())
	case *linkv1.ToKernel_Mark:
		return frameID(f.Mark.GetFrameId())
	case *linkv1.ToKernel_ProbeReport:
		return frameID(f.ProbeReport.GetFrameId()) && len(f.ProbeReport.GetNonce()) <= 64
	case *linkv1.ToKernel_UploadChunk:
		u := f.UploadChunk
		return len(u.GetUploadId()) == 26 && len(u.GetData()) <= limit.UploadChunk
	case *linkv1.ToKernel_QuestionShown:
		return f.QuestionShown.GetId() != ""
	case *linkv1.ToKernel_Refused:
		return f.Refused.GetFrameId() == "" || frameID(f.Refused.GetFrameId())
	}
	return true
}

func onPort(id string, connection uint64) bool { return frameID(id) && connection > 0 }

func envelopeID(id uint64) bool { return id > 0 && id <= limit.EnvelopeIDMax }

// frameID holds for the form of a frame id, 32 lower-case hex digits.
func frameID(id string) bool {
	if len(id) != 32 {
		return false
	}
	for i := range len(id) {
		if c := id[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
