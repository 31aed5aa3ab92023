// Package sanity runs csi-sanity against the Manila CSI driver with its real Manila client. The file is laid beside the
// driver's own sanity test, whose fake of the node's side it borrows, in a copy of the driver's module.
package sanity

import (
	"context"
	"net"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"k8s.io/cloud-provider-openstack/pkg/csi/manila"
	"k8s.io/cloud-provider-openstack/pkg/csi/manila/manilaclient"
)

// late connects with a delay: a connection that is ready before csi-sanity's first look makes it wait for a minute.
func late(ctx context.Context, address string) (net.Conn, error) {
	time.Sleep(time.Second)
	return (&net.Dialer{}).DialContext(ctx, "unix", strings.TrimPrefix(address, "unix://"))
}

// repeated calls again what failed for a reason that may pass, as Kubernetes' provisioner and snapshotter do: csi-sanity
// itself never waits for a deletion or a snapshot, and makes the next volume of the same name at once.
func repeated(ctx context.Context, method string, request, reply any, connection *grpc.ClientConn,
	invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
	for end := time.Now().Add(time.Minute); ; time.Sleep(300 * time.Millisecond) {
		err := invoke(ctx, method, request, reply, connection, options...)
		switch status.Code(err) {
		case codes.Internal, codes.Unavailable, codes.Aborted, codes.DeadlineExceeded:
			if time.Now().Before(end) {
				continue
			}
		}
		return err
	}
}

func TestEndpoint(t *testing.T) {
	folder := t.TempDir()
	socket := path.Join(folder, "csi.sock")
	driver, err := manila.NewDriver(&manila.DriverOpts{
		DriverName:          "manila.csi.openstack.org",
		NodeID:              "node",
		WithTopology:        true,
		NodeAZ:              "nova",
		ShareProto:          "NFS",
		ServerCSIEndpoint:   socket,
		FwdCSIEndpoint:      "unix:///fake-fwd-endpoint",
		ManilaClientBuilder: &manilaclient.ClientBuilder{UserAgent: "csi-sanity"},
		CSIClientBuilder:    &fakeCSIClientBuilder{},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err = driver.SetupControllerService(); err != nil {
		t.Fatal(err)
	}
	if err = driver.SetupNodeService(); err != nil {
		t.Fatal(err)
	}
	go driver.Run()

	config := sanity.NewTestConfig()
	// csi-sanity puts a dialer of its own in the place of ours for an address that it knows as a socket's
	config.Address = "passthrough:///unix://" + socket
	config.DialOptions = []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithContextDialer(late),
		grpc.WithUnaryInterceptor(repeated),
	}
	config.TargetPath = path.Join(folder, "mount")
	config.StagingPath = path.Join(folder, "staging")
	config.TestVolumeSize = 1 << 30
	config.SecretsFile = os.Getenv("CSI_SECRETS")
	config.TestVolumeParameters = map[string]string{"type": os.Getenv("CSI_SHARE_TYPE")}
	if network := os.Getenv("CSI_SHARE_NETWORK"); network != "" {
		config.TestVolumeParameters["shareNetworkID"] = network
	}
	sanity.Test(t, config)
}
