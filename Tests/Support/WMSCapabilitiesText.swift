/// The capabilities of a WMS with one layer, `a`, which covers Spain.
package enum WMSCapabilitiesText {
    /// The document of version 1.1.1 or 1.3.0.
    package static func text(version: String) -> String {
        let isOld = version != "1.3.0", root = isOld ? "WMT_MS_Capabilities" : "WMS_Capabilities"
        let box =
            isOld
            ? "<LatLonBoundingBox minx='-10' miny='35' maxx='5' maxy='45'/>"
            : "<EX_GeographicBoundingBox><westBoundLongitude>-10</westBoundLongitude><eastBoundLongitude>5"
                + "</eastBoundLongitude><southBoundLatitude>35</southBoundLatitude><northBoundLatitude>45"
                + "</northBoundLatitude></EX_GeographicBoundingBox>"
        let name = isOld ? "SRS" : "CRS"
        return
            "<\(root) version='\(version)'><Capability><Request><GetMap><Format>image/png</Format></GetMap></Request>"
            + "<Layer><Name>a</Name><\(name)>EPSG:4326</\(name)>\(box)"
            + "<BoundingBox \(name)='EPSG:4326' minx='-10' miny='35' maxx='5' maxy='45'/></Layer></Capability></\(root)>"
    }
}
