import PortolanGeo
import Testing

extension ProjectionAgainstPROJTests {
    /// Systems whose parameters are tabled.
    struct Tabled: CustomTestStringConvertible, Sendable {
        /// The code of the geographic system under them.
        var base: Int
        var codes: [Int]
        var testDescription: String { "\(codes.count) systems on EPSG:\(base)" }
    }

    /// The geographic system and the codes on it.
    static let tabled: [Tabled] =
        """
        4152 2156 2195 2759-2930 2967-2968 2993-2994 3071 3075-3077 3079 3084 3090-3091 3358-3365 3404 3425-3432 \
        3441-3446 3456-3459 3464 3568-3570 3753-3758 3760 3815 3969 4414 5654 8090-8226 26825-26835 26855-26862
        4267 2085-2086 2204 2964 3069 3080 3771-3774 3795-3797 3800 4399-4413 4418-4419 4455-4456 5069 5458 \
        5623-5625 6200-6202 6966 7991 26729-26760 26766-26799 32001-32067 32074-32086 32098-32099
        4269 2205 2222-2289 2965-2966 2991-2992 3070 3072-3074 3078 3081-3082 3088-3089 3400-3401 3417-3424 \
        3433-3438 3451-3455 3463 3560 3566-3567 3734-3739 3759 3775-3778 3801 3814 3968 4217 4420-4433 4438-4439 \
        4457 5646 6922-6923 8379-8382 8826 9674 9712 26814-26824 26847-26854 26929-26998 32100-32167 32180 32199
        4326 8035-8036 32664-32667
        4759 3465-3466 3468-3487 3489-3512 3514-3559 3582-3664 3666-3705 3728-3733 3816 3970 4437 5655 6094-6097 \
        6517 6604 26836-26846 26863-26870
        6318 6351-6356 6394-6413 6415-6438 6440-6516 6518-6578 6580-6603 6605-6621 6625-6627 6786-6787 6790-6791 \
        6794-6795 6798-6799 6802-6803 6806-6807 6810-6811 6814-6815 6818-6819 6822-6823 6826-6827 6830-6831 \
        6834-6835 6838-6839 6842-6843 6846-6847 6850-6851 6854-6855 6858-6859 6862-6863 6879-6880 6924-6925 \
        6996-6997 7057-7070 7109-7132 7257-7370 7528-7645 8065-8068 8311-8348 8383-8387 8518-8540 9748-9749 20050
        6322 6628-6633 6636
        6325 6637
        6783 6307 6784-6785 6788-6789 6792-6793 6796-6797 6800-6801 6804-6805 6808-6809 6812-6813 6816-6817 \
        6820-6821 6824-6825 6828-6829 6832-6833 6836-6837 6840-6841 6844-6845 6848-6849 6852-6853 6856-6857 \
        6860-6861 6867-6868 6884-6887
        """.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return Tabled(
                base: Int(words[0]) ?? 0,
                codes: words.dropFirst().flatMap { word in
                    let ends = word.split(separator: "-").compactMap { Int($0) }
                    return Array(ends[0]...ends[ends.count - 1]).filter { CRS.epsg($0)?.projection != nil }
                })
        }

    /// Those whose method is rare, and those that the servers of states offer most; of the others, which one program wrote
    /// and which all pass, each sixteenth.
    static let alwaysCompared: Set = [
        2222, 2225, 2227, 2230, 2236, 2263, 2272, 2277, 2278, 2285, 2193, 2964, 3078, 3102, 3435, 5069, 6200, 6201,
        6202,
        6394, 6557, 26729, 26931, 26979, 26985, 32118, 32664,
    ]

    @Test(arguments: tabled) func `tabled CRSs agree with the EPSG dataset`(tabled: Tabled) throws {
        for (index, code) in tabled.codes.enumerated() where index % 16 == 0 || Self.alwaysCompared.contains(code) {
            try compare(code, base: tabled.base, Self.places(around: code))
        }
    }

    @Test func `over a third of the tabled CRSs are in feet`() throws {
        let systems = Self.tabled.flatMap(\.codes).compactMap(CRS.epsg)
        #expect(systems.count == 1759)
        #expect(systems.filter { $0.metersPerUnit < 0.31 }.count > systems.count / 3)
    }

    private static func places(around code: Int) -> [Coordinate] {
        switch CRS.epsg(code)?.projection?.domain {
        case .box(let meridian?, _, _): PROJ.places(300, (meridian - 4)...(meridian + 4), 15...72)
        case .cap(let center, _):
            PROJ.places(300, (center.x - 6)...(center.x + 6), (center.y - 5)...(center.y + 5))
        default: []
        }
    }
}
