// dialect.h: MLIR's own passes, those that the compiler uses.

#include "dialect/dialect.h"

#include "mlir/CAPI/Pass.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

MlirPass ir_create_scf_to_cf_pass(void)
{
    return wrap(mlir::createSCFToControlFlowPass().release());
}

MlirPass ir_create_inline_pass(void)
{
    auto nothing = [](mlir::OpPassManager &) {};
    return wrap(mlir::createInlinerPass({}, nothing).release());
}

MlirPass ir_create_canonicalize_pass(void)
{
    mlir::GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(mlir::GreedySimplifyRegionLevel::Disabled);
    return wrap(mlir::createCanonicalizerPass(config).release());
}

void ir_register_passes(void)
{
    mlir::registerTransformsPasses();
    mlir::registerPass([] { return mlir::createSCFToControlFlowPass(); });
}
