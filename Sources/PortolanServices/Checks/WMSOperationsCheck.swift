import PortolanXML

/// Checks what a WMS says of its operations, formats and limits.
struct WMSOperationsCheck {
    let capabilities: WMSCapabilities
    let root: XMLElement
    let evidence: CapabilitiesEvidence

    func check(into list: inout FindingList) {
        checkAddresses(into: &list)
        checkFormats(into: &list)
        checkLimits(into: &list)
        if capabilities.getFeatureInfo == nil, capabilities.allLayers.contains(where: \.isQueryable) {
            list.add(
                .deviation, .queryableWithoutOperation, "GetFeatureInfo",
                "layers are queryable, and the operation is not offered",
                remedy: "offer GetFeatureInfo, or set queryable to 0")
        }
    }

    private func checkAddresses(into list: inout FindingList) {
        for name in ["GetCapabilities", "GetMap"] where capabilities.operation(named: name)?.getURL == nil {
            list.add(
                name == "GetMap" ? .fault : .deviation, .operationMissing, name,
                "no address is given for it; clients must guess",
                remedy: "give its OnlineResource under Request/\(name)/DCPType/HTTP/Get")
        }
        let check = AddressCheck(askedAt: evidence.address)
        for operation in capabilities.operations {
            guard let address = operation.getURL else { continue }
            check.check(address, subject: operation.name, isPrefix: true, into: &list)
        }
    }

    private func checkFormats(into list: inout FindingList) {
        if let operation = capabilities.getMap {
            if operation.formats.isEmpty {
                list.add(
                    .deviation, .formatMissing, "GetMap", "no format is listed",
                    remedy: "list each format the service can draw in a <Format>")
            } else if !operation.formats.contains(where: { $0.bareMediaType == "image/png" }) {
                list.add(
                    .note, .formatMissing, "GetMap",
                    "image/png is not among the formats; others can hide what lies below, or not be read",
                    remedy: "offer image/png")
            }
        }
        guard capabilities.version > .v1_0_0 else { return }
        let wanted = capabilities.version.xmlExceptions
        let offered = capabilities.exceptionFormats.map { $0.verbatim.lowercased() }
        if !offered.contains(wanted.lowercased()) {
            list.add(
                .deviation, .exceptionFormatMissing, "Exception",
                "'\(wanted)' is not among the forms of exceptions, although version \(capabilities.version) asks for it",
                remedy: "list <Format>\(wanted)</Format> first under Exception")
        }
    }

    private func checkLimits(into list: inout FindingList) {
        let service = root.child("Service")
        for (name, least) in [("MaxWidth", 512), ("MaxHeight", 512), ("LayerLimit", 2)] {
            guard let text = service?.text(of: name) else { continue }
            guard let limit = Int(text.trimmingSpace()), limit > 0 else {
                list.add(
                    .deviation, .limitTight, name, "'\(text)' is no whole number above 0; clients ignore it or fail",
                    remedy: "write the number, or leave the element out when there is no limit")
                continue
            }
            if limit < least {
                list.add(
                    .note, .limitTight, name, "the limit is \(limit); a map on a screen takes several requests",
                    remedy: "raise it if the server can bear it")
            }
        }
    }
}
