#include "report/json.hpp"

#include <ostream>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/text.hpp"
#include "report/names.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

json::array strings(const std::vector<std::string>& items) {
    json::array array;
    for (const std::string& item : items) {
        array.emplace_back(valid_utf8(item));
    }
    return array;
}

void put_archs(json::object& object, const ArchSet& archs) {
    object["sass"] = strings(sass_names(archs));
    object["ptx"] = strings(ptx_names(archs));
}

json::object arch_object(const ArchSet& archs) {
    json::object object;
    put_archs(object, archs);
    return object;
}

json::array profile_json(const Member& member) {
    json::array profiles;
    for (const Profile& profile : member.profiles) {
        json::object object = arch_object(profile.archs);
        object["relocatable"] = profile.relocatable;
        object["regions"] = profile.regions;
        profiles.push_back(std::move(object));
    }
    return profiles;
}

json::array images_json(const Member& member) {
    json::array images;
    for (const Image& image : member.images) {
        images.push_back({{"section", valid_utf8(member.sections[image.section])},
                          {"region", image.region},
                          {"kind", name(image.kind)},
                          {"arch", target_name(image)},
                          {"size", image.size},
                          {"compression", name(image.compression)},
                          {"kernelless", image.kernelless},
                          {"debug", image.debug},
                          {"offset", image.offset},
                          {"registration", name(member.regions[image.region].state)}});
    }
    return images;
}

json::object outside_json(const OutsideCode& code) {
    json::object object = arch_object(code.archs);
    object["regions"] = code.regions;
    object["images"] = code.images;
    object["offset"] = code.offset;
    return object;
}

// Only of the few members that have any.
void put_outside(json::object& object, const Member& member) {
    if (member.unregistered.images > 0) {
        object["unregistered"] = outside_json(member.unregistered);
    }
    if (member.embedded.images > 0) {
        object["embedded"] = outside_json(member.embedded);
    }
    if (member.bitcode > 0) {
        object["bitcode"] = member.bitcode;
    }
    if (member.amd) {
        object["amd"] = true;
    }
}

void put_member(json::object& object, const Member& member) {
    object["path"] = valid_utf8(member.path);
    object["role"] = name(member.role);
    object["format"] = name(member.format);
    object["size"] = member.size;
    put_archs(object, member.archs);
    object["image_count"] = member.image_count;
    object["kernelless"] = member.kernelless_count;
    object["kernelless_archs"] = arch_object(member.kernelless_archs);
    object["relocatable_archs"] = arch_object(member.relocatable_archs);
    object["regions"] = member.region_count;
    object["profile"] = profile_json(member);
    object["witnesses"] = strings(member.witnesses);
    put_outside(object, member);
}

json::array members_json(const Inventory& inventory, bool images) {
    json::array members;
    for (const Member& member : inventory.members) {
        json::object object;
        put_member(object, member);
        if (images) {
            object["images"] = images_json(member);
        }
        members.push_back(std::move(object));
    }
    return members;
}

// As `assert` has them: `images` is their number.
json::array judged_members_json(const Inventory& inventory) {
    json::array members;
    for (const Member& member : inventory.members) {
        json::object object;
        put_member(object, member);
        object["images"] = member.image_count;
        members.push_back(std::move(object));
    }
    return members;
}

}  // namespace

json::object inventory_json(const Inventory& inventory, const std::string& sha256, bool images) {
    json::object object;
    if (!inventory.is_wheel) {
        const Member& file = inventory.members.front();
        put_member(object, file);
        if (images) {
            object["images"] = images_json(file);
        }
    }
    object["path"] = valid_utf8(inventory.path.string());
    object["format"] = format_name(inventory);
    object["sha256"] = sha256;
    object["size"] = inventory.size;
    put_archs(object, observed(inventory));
    object["members"] = inventory.is_wheel ? members_json(inventory, images) : json::array();
    object["findings"] = findings_json(all_findings(inventory));
    return object;
}

json::object inspect_json(json::array files) {
    return {{"schema", kSchema}, {"files", std::move(files)}};
}

json::object verdict_json(const Inventory& inventory, const std::string& sha256, const Verdict& verdict,
                          const std::string& arch_list) {
    json::object requested = arch_object(verdict.requested);
    requested["arch_list"] = valid_utf8(arch_list);
    return {{"schema", kSchema},
            {"file", valid_utf8(inventory.path.string())},
            {"sha256", sha256},
            {"size", inventory.size},
            {"witnesses", strings(witnesses(inventory))},
            {"requested", std::move(requested)},
            {"observed", arch_object(verdict.observed)},
            {"missing", arch_object(verdict.missing)},
            {"extra", arch_object(verdict.extra)},
            {"members", judged_members_json(inventory)},
            {"findings", findings_json(verdict.findings)},
            {"verdict", verdict_name(verdict)}};
}

json::object coverage_json(const ArchSet& archs, std::string_view source, const std::vector<Coverage>& coverage) {
    json::array gpus;
    for (const Coverage& line : coverage) {
        json::value by = nullptr;
        if (line.by) {
            by = line.reach == Reach::jit ? json::value(ptx_name(*line.by)) : json::value(sass_name(*line.by));
        }
        gpus.push_back({{"name", valid_utf8(line.gpu.name)},
                        {"compute_capability", torch_name(line.gpu.capability)},
                        {"embedded", line.gpu.embedded},
                        {"coverage", name(line.reach)},
                        {"by", std::move(by)}});
    }
    json::object object = arch_object(archs);
    object["schema"] = kSchema;
    object["source"] = valid_utf8(source);
    object["gpus"] = std::move(gpus);
    return object;
}

json::array findings_json(const std::vector<Finding>& findings) {
    json::array array;
    for (const Finding& finding : findings) {
        array.push_back({{"rule", finding.rule},
                         {"severity", name(finding.severity)},
                         {"place", valid_utf8(finding.place)},
                         {"message", valid_utf8(finding.message)},
                         {"fix", valid_utf8(finding.fix)}});
    }
    return array;
}

json::value cuobjdump_json(const std::optional<Cuobjdump>& cuobjdump) {
    if (!cuobjdump) {
        return nullptr;
    }
    return json::object{{"path", valid_utf8(cuobjdump->program.string())}, {"release", to_text(cuobjdump->version)}};
}

// `##[` begins a command wherever it stands in a line. In JSON it stands in strings.
std::string for_log(std::string text) {
    for (std::size_t at = text.find("##["); at != std::string::npos; at = text.find("##[", at)) {
        text.replace(at + 1, 1, "\\u0023");
    }
    return text;
}

const Format& json_format() {
    static const Format format = {"--json",
                                  [](const Outcome& outcome, std::ostream& out) {
                                      if (const auto* object = std::get_if<json::object>(&outcome.result)) {
                                          out << json::serialize(*object) << '\n';
                                      } else {
                                          std::get<JsonWriter>(outcome.result)(out);
                                      }
                                  },
                                  true};
    return format;
}

}  // namespace wheelarch
