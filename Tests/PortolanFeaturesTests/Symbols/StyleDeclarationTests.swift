import PortolanFeatures
import PortolanRaster
import Testing

/// The effect of a declaration on undefined keys.
struct StyleDeclarationTests {
    @Test func `a label background needs a visible colour`() {
        var open = StyleDeclaration()
        open.label = "a"
        #expect(open.style.label?.background == nil)
        var boxed = StyleDeclaration()
        boxed.labelBackgroundColor = .white
        #expect(boxed.over(open).style.label?.background == LabelSymbol.Background(color: .white, padding: 2))
        boxed.labelPadding = 5
        #expect(open.over(boxed).style.label?.background?.padding == 5)
        boxed.labelBackgroundColor = .clear
        #expect(boxed.over(open).style.label?.background == nil)
        #expect(boxed.style.label == nil)
    }

    @Test func `a label with an offset or an alignment is fixed, others are placed freely`() {
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
