/// A column of a layer: its description, and the headers of its streams.
enum MLTColumn {
    /// The identifiers.
    case id(isLong: Bool, present: MLTStream?, data: MLTStream)
    /// The geometries.
    case geometry(MLTGeometryReader)
    /// Numbers or truth values.
    case scalar(key: String, Scalar, present: MLTStream?, data: MLTStream)
    /// Texts.
    case strings(key: String, present: MLTStream?, MLTStrings, at: Int)
    /// Texts of several keys, which share a dictionary.
    case shared(MLTStrings, children: [Child], at: Int)
    /// Nested values of one key or several.
    case nested(keys: [String], MLTNestedReader)

    /// The kinds of numbers.
    enum Scalar: Int { case bool = 5, int8, uint8, int32, uint32, int64, uint64, float, double }

    /// A key of a shared dictionary; its streams are missing if no feature has a value.
    struct Child {
        let key: String
        let present: MLTStream?
        let data: MLTStream?
    }

    /// The description of a column, which precedes all columns.
    struct Description {
        let code: Int
        let name: String
        let children: [Description]
        let offset: Int

        /// The deepest nesting of columns.
        private static let depthLimit = 8

        var isOptional: Bool { !code.isMultiple(of: 2) }

        init(_ input: inout MLTInput, allowsNested: Bool, depth: Int = 0) throws(VectorTileError) {
            offset = input.position
            code = try input.count()
            switch code {
            case 0...4, 10...30: break
            case 31 where allowsNested: break
            default: throw VectorTileError(.unsupported, offset: offset, "an unknown type of column: \(code)")
            }
            name = code >= 10 ? try input.text() : ""
            var children: [Description] = []
            if code >= 30 {
                guard depth < Self.depthLimit else {
                    throw VectorTileError(.limitExceeded, offset: offset, "columns are nested too deeply")
                }
                // Each takes a byte or more, so that the input ends a lying count.
                for _ in 0..<(try input.count()) {
                    children.append(try Description(&input, allowsNested: allowsNested, depth: depth + 1))
                }
            }
            self.children = children
        }
    }

    /// Reads the headers of the column's streams.
    init(_ description: Description, _ input: inout MLTInput) throws(VectorTileError) {
        let offset = input.position
        func present() throws(VectorTileError) -> MLTStream? {
            description.isOptional ? try MLTStream(&input, isBoolean: true) : nil
        }
        switch description.code {
        case 0...3:
            let present = try present()
            self = .id(isLong: description.code >= 2, present: present, data: try MLTStream(&input))
        case 4:
            var streams: [MLTStream] = []
            for _ in 0..<(try input.count()) { streams.append(try MLTStream(&input)) }
            guard !streams.isEmpty else {
                throw VectorTileError(.malformed, offset: offset, "a geometry column without streams")
            }
            self = .geometry(MLTGeometryReader(streams, at: offset))
        case 28, 29:
            var remaining = try input.count(), strings = MLTStrings(), isPresent: MLTStream?
            if remaining > 0, description.isOptional {
                isPresent = try present()
                remaining -= 1
            }
            for _ in 0..<remaining { try strings.add(try MLTStream(&input)) }
            self = .strings(key: description.name, present: isPresent, strings, at: offset)
        case 30: self = try Self.shared(description, &input)
        case 31:
            let keys =
                description.children.isEmpty
                ? [description.name] : description.children.map { description.name + $0.name }
            self = .nested(keys: keys, try MLTNestedReader(&input, streamCount: try input.count()))
        default:
            guard let scalar = Scalar(rawValue: description.code / 2) else {
                throw VectorTileError(.unsupported, offset: offset, "an unknown type of column")
            }
            let present = try present()
            let data = try MLTStream(&input, isBoolean: scalar == .bool)
            self = .scalar(key: description.name, scalar, present: present, data: data)
        }
    }

    private static func shared(
        _ description: Description, _ input: inout MLTInput
    ) throws(VectorTileError) -> MLTColumn {
        let offset = input.position
        var strings = MLTStrings(), count = try input.count()
        // The dictionary's bytes are the last of its streams.
        while count > 0, strings.data == nil {
            try strings.add(try MLTStream(&input))
            count -= 1
        }
        var children: [Child] = []
        for child in description.children {
            guard child.code == 28 || child.code == 29 else {
                throw VectorTileError(.unsupported, offset: child.offset, "a shared dictionary of other than texts")
            }
            let key = description.name + child.name
            guard try input.count() > 0 else {
                children.append(Child(key: key, present: nil, data: nil))
                continue
            }
            let present = child.isOptional ? try MLTStream(&input, isBoolean: true) : nil
            children.append(Child(key: key, present: present, data: try MLTStream(&input)))
        }
        return .shared(strings, children: children, at: offset)
    }
}
