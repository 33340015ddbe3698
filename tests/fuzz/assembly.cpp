#include "codegen/assembly/aco_ir.hpp"
#include "codegen/assembly/amdgcn.hpp"
#include "codegen/assembly/brw.hpp"
#include "codegen/assembly/gen.hpp"
#include "codegen/assembly/objdump.hpp"
#include "codegen/assembly/ptx.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/read_listing.hpp"

// Each text goes to every parser: the assembly of one vendor must not break the parser of another.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace percycle;
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::read_listing(isa::parse_amdgcn(text, "k"));
  fuzz::read_listing(isa::parse_amdgcn(isa::assembly_of_objdump(text), "k"));
  fuzz::read_listing(isa::parse_amdgcn(isa::assembly_of_aco_ir(text), "k"));
  fuzz::read_listing(isa::parse_ptx(text, "k"));
  fuzz::read_listing(isa::parse_gen(text));
  fuzz::read_listing(isa::parse_brw(text));
  return 0;
}
