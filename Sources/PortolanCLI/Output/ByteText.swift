/// Numbers of bytes for people.
package enum ByteText {
    /// A number of bytes with a unit of 1024 each and three digits at the most.
    package static func text(_ bytes: Int) -> String {
        var number = Double(bytes)
        for unit in ["bytes", "KiB", "MiB", "GiB"] {
            if number < 1000 {
                let tenths = Int((number * 10).rounded())
                return number < 10 && unit != "bytes"
                    ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(Int(number.rounded())) \(unit)"
            }
            number /= 1024
        }
        return "\(Int(number.rounded())) TiB"
    }
}
