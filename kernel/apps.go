package kernel

import (
	"context"

	"google.golang.org/protobuf/proto"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/install"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

// File gives the sandbox one verified file of an installed app; see sandbox.Lookup.
func (k *Kernel) File(app string, uid uint64, hash, path string) (content []byte, contentType string, ok bool) {
	return k.apps.File(app, uid, hash, path)
}

// Apps lists the installed apps by id.
func (k *Kernel) Apps() []install.Installed { return k.apps.List() }

// Review verifies a package and says what the owner decides on. Nothing is written.
func (k *Kernel) Review(source install.Source, size int64, from string) (*linkv1.Review, error) {
	return k.ends(k.apps.Review(source, size, from))
}

// ReviewURL fetches a package once, and reviews it.
func (k *Kernel) ReviewURL(ctx context.Context, address string) (*linkv1.Review, error) {
	return k.ends(k.apps.ReviewURL(ctx, address))
}

// Approve installs what a review showed; digest is what the owner was shown.
// replaceSigner: the owner takes another signer, or none, than the pinned one.
func (k *Kernel) Approve(reviewID, digest string, replaceSigner bool) (*linkv1.App, error) {
	i, err := k.approve(reviewID, digest, replaceSigner, nil)
	if err != nil {
		return nil, err
	}
	return i.App(), nil
}

// Verify reads every installed package to its end and compares it with its row, for the checker.
func (k *Kernel) Verify() error {
	for _, i := range k.apps.List() {
		if err := k.apps.Verify(i.ID); err != nil {
			return err
		}
	}
	return nil
}

// Remove takes an app out. uid 0 means whichever installation there is.
func (k *Kernel) Remove(id string, uid uint64) error { return k.remove(id, uid, nil) }

func (k *Kernel) approve(reviewID, digest string, replaceSigner bool, with func(*store.Tx) error) (install.Installed, error) {
	approve := k.apps.Approve
	if replaceSigner {
		approve = k.apps.ApproveSigner
	}
	i, err := approve(reviewID, digest, func(tx *store.Tx, _ install.Installed) error {
		if err := tx.Bucket(store.Owner).Put([]byte(everKey), []byte{1}); err != nil || with == nil {
			return err
		}
		return with(tx)
	})
	k.noteDisk(err)
	if err == nil {
		k.ever.Store(true)
		k.log.Info("installed", "app", i.ID, "version", i.Version, "uid", i.UID)
		k.appsChanged()
	}
	return i, err
}

func (k *Kernel) remove(id string, uid uint64, with func(*store.Tx) error) error {
	was, _ := k.apps.Get(id)
	err := k.apps.Remove(id, uid, func(tx *store.Tx, i install.Installed) error {
		if err := k.data.Remove(tx, i.UID); err != nil || with == nil {
			return err
		}
		return with(tx)
	})
	k.noteDisk(err)
	if err == nil {
		k.log.Info("removed", "app", id, "uid", was.UID)
		k.audit.Forget(id, was.UID)
		k.o.Sandbox.Retire(id, 0, "")
		k.appsChanged()
	}
	return err
}

// everKey stands in the owner's bucket once anything was ever installed: the
// welcome of a first start is shown no more, even when all apps are removed again.
const everKey = "ever-installed"

func everInstalled(s *store.Store) (ever bool, err error) {
	err = s.View(func(tx *store.Tx) error {
		ever = tx.Bucket(store.Owner).Get([]byte(everKey)) != nil
		return nil
	})
	return ever, err
}

// appsChanged tells everybody who holds something of an installed row. The registry
// ends old generations first, so that nothing of them reaches the new ones.
func (k *Kernel) appsChanged() {
	k.changing.Lock() // two installs at once must not overtake each other here
	defer k.changing.Unlock()
	installed := k.apps.List()
	rows := make([]endpoint.App, len(installed))
	for n, i := range installed {
		rows[n] = row(i)
	}
	k.frames.SetApps(rows)
	k.desk.SetApps(rows)
	for _, i := range installed {
		k.o.Sandbox.Retire(i.ID, i.UID, i.Hash)
	}
	k.openWay()
	k.pushApps()
}

func row(i install.Installed) endpoint.App {
	a := endpoint.App{
		ID: i.ID, UID: i.UID, Version: i.Version, Hash: i.Hash, Generation: i.Generation,
		Name: i.Manifest.Name, About: i.Manifest.Description,
	}
	for _, t := range i.Manifest.Tiles {
		a.Tiles = append(a.Tiles, endpoint.TilePage{ID: t.ID, Title: t.Title, About: t.Description, Path: t.Path})
	}
	if b := i.Manifest.Background; b != nil {
		a.Background = b.Path
	}
	return a
}

func (s *shell) reviewInstall(ctx context.Context, r *linkv1.ReviewInstall) (*linkv1.Reply, error) {
	var review *linkv1.Review
	var err error
	switch from := r.GetSource().(type) {
	case *linkv1.ReviewInstall_BundledAppId:
		review, err = s.k.apps.ReviewBundled(from.BundledAppId)
	case *linkv1.ReviewInstall_UploadId:
		var b []byte
		if b, err = s.claimUpload(from.UploadId); err == nil {
			review, err = s.k.apps.Review(install.Bytes(b), int64(len(b)), r.GetName())
		}
	case *linkv1.ReviewInstall_Url:
		review, err = s.k.apps.ReviewURL(ctx, from.Url)
	case *linkv1.ReviewInstall_Directory:
		review, err = s.k.apps.ReviewDir(from.Directory)
	default:
		err = fault.New("kernel.review", fault.InvalidRequest, s.id, "A review needs an upload, an address, a directory or a bundled app.")
	}
	review, err = s.k.ends(review, err)
	return &linkv1.Reply{What: &linkv1.Reply_Review{Review: review}}, err
}

func (s *shell) approveInstall(submission string, a *linkv1.ApproveInstall) (*linkv1.Reply, error) {
	return s.onceWithin(submission, "approve_install", a, func(with func(*store.Tx) error) error {
		_, err := s.k.approve(a.GetReviewId(), a.GetDigest(), a.GetReplaceSigner(), with)
		return err
	})
}

func (s *shell) removeApp(submission string, r *linkv1.RemoveApp) (*linkv1.Reply, error) {
	return s.onceWithin(submission, "remove_app", r, func(with func(*store.Tx) error) error {
		return s.k.remove(r.GetAppId(), r.GetUid(), with)
	})
}

func (k *Kernel) describeApp(s *shell, d *linkv1.DescribeApp) (*linkv1.Reply, error) {
	i, ok := k.apps.Get(d.GetAppId())
	if !ok {
		return nil, fault.New("kernel.describe", fault.AppUnknown, d.GetAppId(), "")
	}
	risks, err := k.apps.Risks(i.ID)
	if err != nil {
		return nil, err
	}
	detail := &linkv1.AppDetail{App: i.App(), Risks: risks, SizeBytes: uint64(i.Size)}
	for _, f := range k.frames.Snapshot(s.id) {
		if f.GetAppId() == i.ID {
			detail.Frames = append(detail.Frames, f)
		}
	}
	return &linkv1.Reply{What: &linkv1.Reply_AppDetail{AppDetail: detail}}, nil
}

func (k *Kernel) queryAudit(q *linkv1.QueryAudit) (*linkv1.Reply, error) {
	page, err := k.audit.Query(q)
	return &linkv1.Reply{What: &linkv1.Reply_AuditPage{AuditPage: page}}, err
}

// onceWithin is once for a command that has its own transaction and lets us add to it.
func (s *shell) onceWithin(submission, kind string, payload proto.Message, do func(with func(*store.Tx) error) error) (*linkv1.Reply, error) {
	if submission == "" {
		return nil, do(nil)
	}
	c, err := s.command(submission, kind, payload)
	if err != nil {
		return nil, err
	}
	var stored *linkv1.Reply
	err = s.k.store.View(func(tx *store.Tx) (err error) {
		stored, err = c.stored(tx)
		return err
	})
	if err != nil || stored != nil {
		return stored, err
	}
	return nil, do(func(tx *store.Tx) error { return c.keep(tx, done()) })
}

func (k *Kernel) endpointTools(r *linkv1.EndpointTools) (*linkv1.Reply, error) {
	tools, err := k.bus.Tools(endpoint.ID(r.GetEndpointId()))
	return &linkv1.Reply{What: &linkv1.Reply_Tools{Tools: &linkv1.ToolList{Tools: tools}}}, err
}
