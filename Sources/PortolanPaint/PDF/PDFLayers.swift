/// The layers of a document as optional content groups, in a tree of names (ISO 32000-1, clause 8.11).
struct PDFLayers {
    private struct Layer {
        let name: String
        let number: Int
        let parent: Int?
        var isShown = false
    }

    private var layers: [Layer] = []
    /// The indices of the layers that contain the current content, outermost first.
    private var open: [Int] = []

    /// Begins the content of a layer, and returns its object number.
    ///
    /// Content of the same name inside the same layer belongs to one layer.
    mutating func begin(_ name: String, _ file: inout PDFFile) -> Int {
        let parent = open.last
        let index = layers.firstIndex { $0.name == name && $0.parent == parent } ?? layers.count
        if index == layers.count { layers.append(Layer(name: name, number: file.reserve(), parent: parent)) }
        open.append(index)
        return layers[index].number
    }

    /// Ends the content of the innermost layer.
    mutating func end(isEmpty: Bool) {
        guard let index = open.popLast(), !isEmpty else { return }
        layers[index].isShown = true
    }

    /// Writes the groups, and returns the catalogue's entry, which is empty without layers.
    ///
    /// - Parameter isShown: whether viewers show the list of layers first.
    func write(to file: inout PDFFile, isShown: Bool) -> String {
        let shown = layers.filter(\.isShown)
        guard !shown.isEmpty else { return "" }
        for layer in shown { file.write(layer.number, "<</Type/OCG/Name \(PDFText.string(layer.name))>>") }
        let all = shown.map { "\($0.number) 0 R" }.joined(separator: " ")
        return "/OCProperties<</OCGs[\(all)]/D<</BaseState/ON/Order[\(order(within: nil))]>>>>"
            + (isShown ? "/PageMode/UseOC" : "")
    }

    /// The tree of the layers inside a layer.
    private func order(within parent: Int?) -> String {
        layers.indices.filter { layers[$0].parent == parent && layers[$0].isShown }.map { index in
            let inner = order(within: index)
            return "\(layers[index].number) 0 R" + (inner.isEmpty ? "" : " [\(inner)]")
        }.joined(separator: " ")
    }
}
