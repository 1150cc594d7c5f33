import PortolanFeatures
import Testing

/// What a declaration makes of the keys that are open.
struct StyleDeclarationTests {
    @Test func `a label with an offset or an alignment stands where it says, another where there is room`() {
        var open = StyleDeclaration()
        open.label = "a"
        var across = open, down = open, aligned = open, raised = open
        across.labelOffsetX = 0
        down.labelOffsetY = 3
        aligned.labelHorizontalAlignment = .center
        raised.labelVerticalAlignment = .middle
        #expect(open.style.label?.placement == .free)
        for declaration in [across, down, aligned, raised] { #expect(declaration.style.label?.placement == .fixed) }
    }
}
