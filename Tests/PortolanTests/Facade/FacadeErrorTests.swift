import Portolan
import Testing

@Suite struct FacadeErrorTests {
    @Test func `each error names what it is about`() {
        let errors: [FacadeError] = [
            .duplicateLayer("n"), .noSuchLayer("n"), .noSuchFeature("n"), .noFeatures, .outsideMap("n"),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        for error in errors where error != .noFeatures { #expect(error.description.contains("n")) }
    }
}
