import Foundation
import PortolanBeacons
import Testing

@Suite struct BeaconIdentityTests {
    @Test func `an identity is written with its three parts`() {
        let identity = BeaconIdentity(uuid: UUID(), major: 7, minor: 123)
        #expect(identity.description == "\(identity.uuid.uuidString)/7/123")
    }
}
