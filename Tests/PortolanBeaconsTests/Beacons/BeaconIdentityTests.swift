import Foundation
import PortolanBeacons
import Testing

@Suite struct BeaconIdentityTests {
    @Test func `an identity is written as UUID, major and minor`() throws {
        let uuid = try #require(UUID(uuidString: "f7826da6-4fa2-4e98-8024-bc5b71e0893e"))
        let identity = BeaconAdvertisement.Identity(uuid: uuid, major: 7, minor: 65_535)
        #expect(identity.description == "F7826DA6-4FA2-4E98-8024-BC5B71E0893E/7/65535")
    }
}
