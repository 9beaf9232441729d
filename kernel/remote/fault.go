package remote

import (
	"context"
	"errors"

	"connectrpc.com/connect"

	"neutron/kernel/fault"
	"neutron/kernel/proto/linkv1"
)

// toConnect carries a fault over the socket: the whole of it as a detail, and
// for foreign clients a status that is near enough.
func toConnect(err error) error {
	status := connect.CodeFailedPrecondition
	switch fault.CodeOf(err) {
	case fault.Internal, fault.StoreDamaged:
		status = connect.CodeInternal
	case fault.InvalidRequest, fault.PackageInvalid, fault.ManifestInvalid:
		status = connect.CodeInvalidArgument
	case fault.AppUnknown:
		status = connect.CodeNotFound
	case fault.StoreFull, fault.Limit, fault.PackageTooLarge, fault.Busy:
		status = connect.CodeResourceExhausted
	}
	ce := connect.NewError(status, errors.New(fault.Sentence(err)))
	if d, e := connect.NewErrorDetail(fault.ToWire(err)); e == nil {
		ce.AddDetail(d)
	}
	return ce
}

// FromError gives the fault that a call of a client failed with. An error that
// carries none is the connection's own: CANCELLED when the caller gave up, else
// ENDPOINT_GONE.
func FromError(err error) error {
	if err == nil {
		return nil
	}
	var f *fault.Error
	if errors.As(err, &f) {
		return err
	}
	var ce *connect.Error
	if errors.As(err, &ce) {
		for _, d := range ce.Details() {
			if v, e := d.Value(); e == nil {
				if w, ok := v.(*linkv1.Fault); ok {
					return fault.FromWire(op, "", w)
				}
			}
		}
	}
	if errors.Is(err, context.Canceled) || connect.CodeOf(err) == connect.CodeCanceled {
		return &fault.Error{Op: op, Code: fault.Cancelled, Message: "It was stopped.", Err: err}
	}
	return &fault.Error{Op: op, Code: fault.EndpointGone, Message: "Neutron does not answer any more.", Err: err}
}
