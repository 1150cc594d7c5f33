import Foundation
import PortolanGeo
import Testing

@testable import PortolanRealtime

@Suite struct VehicleInterestTests {
    @Test func `a report without a line or position is of interest`() {
        let report = VehicleReport(id: "1", time: Date(timeIntervalSince1970: 0))
        #expect(VehicleInterest(lines: ["9"]).contains(report))
    }

    @Test func `a report of another line is not of interest`() {
        var report = VehicleReport(id: "1", time: Date(timeIntervalSince1970: 0))
        report.line = "4"
        #expect(!VehicleInterest(lines: ["9"]).contains(report))
        #expect(VehicleInterest(lines: ["4"]).contains(report))
    }
}
