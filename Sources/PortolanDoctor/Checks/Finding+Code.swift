extension Finding {
    /// The kind of a finding; scripts may rely on the raw values.
    ///
    /// More may come.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        // The document.
        /// The document cannot be had or read at all.
        case documentUnreadable = "document-unreadable"
        /// A byte order mark stands before the XML declaration.
        case byteOrderMark = "byte-order-mark"
        /// There is no XML declaration.
        case declarationMissing = "declaration-missing"
        /// The encoding declared in the document and the one in the header differ.
        case encodingContradiction = "encoding-contradiction"
        /// The markup breaks a rule that could be passed over.
        case markupOdd = "markup-odd"
        /// A document type declaration stands where the version has none.
        case doctypeUnexpected = "doctype-unexpected"
        /// The root element is not that of the version.
        case rootElement = "root-element"
        /// The namespace is not that of the version.
        case namespaceWrong = "namespace-wrong"
        /// The version is missing or none.
        case versionUnreadable = "version-unreadable"
        /// The service answers in a version other than the rules of negotiation ask for.
        case versionNegotiation = "version-negotiation"
        /// The media type declared is not that of the document.
        case contentType = "content-type"
        /// An element stands where its schema does not have it.
        case elementMisplaced = "element-misplaced"
        /// A value has not the form that its schema asks for.
        case valueMalformed = "value-malformed"
        /// The document could be read, with something passed over.
        case documentOdd = "document-odd"

        // Addresses and operations.
        /// An operation that must be there, or its address, is missing.
        case operationMissing = "operation-missing"
        /// An address is none.
        case addressInvalid = "address-invalid"
        /// An address leads into the service's own network.
        case addressInternal = "address-internal"
        /// An address is on another host.
        case addressOtherHost = "address-other-host"
        /// An address is over http although the service was asked over https.
        case addressInsecure = "address-insecure"
        /// An address does not end so that parameters can follow.
        case addressPrefix = "address-prefix"
        /// The address for Post stands before that for Get.
        case postFirst = "post-first"
        /// No format, or not the one that all clients can read.
        case formatMissing = "format-missing"
        /// The form of exceptions that the version asks for is not listed.
        case exceptionFormatMissing = "exception-format-missing"
        /// A limit is no number, or so tight that few clients can live with it.
        case limitTight = "limit-tight"

        // Layers.
        /// There are no layers that can be asked for.
        case layersMissing = "layers-missing"
        /// A layer has no title.
        case titleMissing = "title-missing"
        /// A name is there twice.
        case nameTwice = "name-twice"
        /// A layer can be drawn in no reference system.
        case crsMissing = "crs-missing"
        /// A reference system's name cannot be understood.
        case crsMalformed = "crs-malformed"
        /// A reference system is not in Portolan's catalogue.
        case crsUnknown = "crs-unknown"
        /// A reference system is listed twice.
        case crsTwice = "crs-twice"
        /// A layer does not tell where it has data.
        case geographicBoxMissing = "geographic-box-missing"
        /// A geographic box is no box.
        case geographicBoxUnusable = "geographic-box-unusable"
        /// A geographic box has no area.
        case geographicBoxFlat = "geographic-box-flat"
        /// A geographic box reaches beyond the world.
        case geographicBoxBeyondWorld = "geographic-box-beyond-world"
        /// A bounding box is no box.
        case boundingBoxUnusable = "bounding-box-unusable"
        /// A layer has two bounding boxes in one reference system.
        case boundingBoxTwice = "bounding-box-twice"
        /// A bounding box has its axes the wrong way round.
        case boundingBoxAxes = "bounding-box-axes"
        /// A bounding box lies elsewhere than the geographic one.
        case boundingBoxElsewhere = "bounding-box-elsewhere"
        /// The limits of scale exclude all scales, or contradict each other.
        case scalesContradict = "scales-contradict"
        /// A scale hint looks like a denominator.
        case scaleHintUnit = "scale-hint-unit"
        /// A style has no name or no title.
        case styleIncomplete = "style-incomplete"
        /// A style has no legend.
        case legendMissing = "legend-missing"
        /// Layers answer questions, and there is no operation for it.
        case queryableWithoutOperation = "queryable-without-operation"

        // Tiles.
        /// Tile sets are listed only when they are asked for by a parameter of their own.
        case tileSetsHidden = "tile-sets-hidden"
        /// Tiles of a set are refused as the recommendation counts them.
        case tileSetRefused = "tile-set-refused"
        /// Maps that are no tiles of the service's sets are refused.
        case tilesAlone = "tiles-alone"
        /// A layer names a matrix set that is not there.
        case matrixSetMissing = "matrix-set-missing"
        /// Matrices do not go from the coarsest to the finest.
        case matrixOrder = "matrix-order"
        /// Scale denominators are not those of pixels of 0.28 mm.
        case scaleDenominatorUnit = "scale-denominator-unit"
        /// The corners of matrices have their axes the wrong way round.
        case cornerAxes = "corner-axes"
        /// The limits of a matrix set do not fit it.
        case limitsContradict = "limits-contradict"
        /// A template of addresses cannot be filled in.
        case templateUnusable = "template-unusable"
        /// Two ways to ask for a tile give different ones.
        case encodingsDiffer = "encodings-differ"

        // Features.
        /// Features that are offered did not come, or cannot be read.
        case featuresRefused = "features-refused"
        /// More features came than were asked for.
        case countIgnored = "count-ignored"
        /// The service has no pages: what is beyond its own limit cannot be had.
        case pagesMissing = "pages-missing"
        /// The next page did not come, or may not be asked for.
        case pageRefused = "page-refused"
        /// The next page holds features of the one before it.
        case pagesRepeat = "pages-repeat"
        /// A box about a feature does not find it.
        case boxMisses = "box-misses"
        /// A box finds what lies in it with its axes the wrong way round.
        case boxAxes = "box-axes"
        /// Features come with their axes the wrong way round.
        case featureAxes = "feature-axes"
        /// Features lie elsewhere than the service says, or elsewhere in another reference system.
        case featuresElsewhere = "features-elsewhere"
        /// An answer in a reference system that was asked for does not name it.
        case contentCRSMissing = "content-crs-missing"
        /// The standard is not among those that the service declares to follow.
        case conformanceMissing = "conformance-missing"

        // What came when the service was asked.
        /// A map, a tile or a legend that is offered did not come.
        case pictureRefused = "picture-refused"
        /// A picture has another format than the one asked for.
        case pictureFormat = "picture-format"
        /// A picture's declared type is not that of its bytes.
        case pictureType = "picture-type"
        /// A picture has another size than the one asked for.
        case pictureSize = "picture-size"
        /// A picture is of one colour where others of the same ground are not.
        case pictureBlank = "picture-blank"
        /// Pictures of the same ground show different things.
        case picturesDiffer = "pictures-differ"
        /// An exception came in another shape than that of the version.
        case exceptionShape = "exception-shape"
        /// An exception has no code, or another than the standard names.
        case exceptionCode = "exception-code"
        /// An exception's declared type or status is not the usual one.
        case exceptionType = "exception-type"
        /// A question about features was not answered.
        case featureInfoRefused = "feature-info-refused"
    }
}
